"""Which fields of which HL7 v2 segments are what, from chapters 2A to 12 of HL7 2.5.1 and 2.8.

A rule is `keep` (coded or technical, stays as it is; a whole field only where it is one word, or
numbers), `text` (free text), `empty` (left out), `date`, a form such as `number` (kept where it
looks like that, else read), a kind of identifier (`id`, `ssn`), or a data type with the kind of
what it holds (`XPN:name`). A `display` is the text of a code, a `facility` an id that is one where
it stands as an authority, too, and a `mark` an id where it is a word with a digit in it, else free
text. Fields and components that no table names are free text: a model reads them.
"""

from __future__ import annotations

from collections.abc import Mapping

KEEP, TEXT, EMPTY, DATE, VALUE = "keep", "text", "empty", "date", "value"
DISPLAY, FACILITY, MARK = "display", "facility", "mark"
ID_TYPES = frozenset(
    ["CLIA", "CLIP", "DNS", "EUI64", "GUID", "HCD", "HL7", "ISO", "L", "L-CL", "M", "N", "NPI",
     "Random", "RANDOM", "URI", "UUID", "x400", "x500"]
)  # fmt: skip
"""HL7's table 0301: who gives numbers of a kind."""
OWN = "*"
"""In a data type: the kind that the field gives."""

_TYPES = {
    # Extended person name; XCN is one with a number before it.
    "XPN": "1=family 2=given 3=middle 4=title 5=title 6=title 7=name-code 8=name-code 9=text "
    "10=date 11=name-code 12=date 13=date 14=title 15=*",
    "XCN": "1=id 2=family 3=given 4=middle 5=title 6=title 7=title 8=code 9=authority "
    "10=name-code 11=empty 12=code 13=code 14=organization 15=name-code 16=text 17=date "
    "18=name-code 19=date 20=date "
    "21=title",
    "CX": "1=* 2=empty 3=code 4=authority 5=code 6=organization 7=date 8=date 9=code 10=code",
    "EI": "1=* 2=authority 3=code 4=code",
    "EIP": "1=* 2=*",  # two of them, their pieces parted by subcomponents
    "XAD": "1=street 2=street 3=city 4=state 5=zip 6=country 7=code 8=city 9=city 10=city "
    "11=code 12=date 13=date 14=date 19=name",
    "XTN": "1=phone 2=code 3=code 4=email 5=phone 6=phone 7=phone 8=phone 9=text 10=phone "
    "11=phone 12=phone",
    "XON": "1=organization 2=code 3=id 4=empty 5=code 6=authority 7=code 8=organization 9=code "
    "10=id",
    # Wards, rooms, beds, and who sends: codes, of which no name of an institution can be made.
    "PL": "1=id 2=id 3=id 4=facility 5=code 6=code 7=id 8=id 9=text 10=id",
    # LA1 and LA2: one with the address, in a piece or in several.
    "LA": "1=id 2=id 3=id 4=facility 5=code 6=code 7=id 8=id 9=street 10=street 11=city 12=state "
    "13=zip 14=country 15=code 16=city",
    "HD": "1=facility 2=facility 3=code",
    "DLN": "1=license 2=state 3=date",
    "CE": "1=code 2=text 3=code 4=code 5=text 6=code 7=code 8=code 9=text",
    "CODE": "1=code 2=display 3=code 4=code 5=display 6=code 7=code 8=code 9=text",
    "DR": "1=date 2=date",
    "TQ": "1=code 2=code 3=code 4=date 5=date 6=code",
    # What is scheduled: a machine, a room, and as often the person who works there.
    "RESOURCE": "1=id 2=id 3=code 4=id 5=id 6=code 9=id",
    # Amounts and what they are of: CP, CQ, MO, MOP, DDI, PTA and RMC, UVC; and codes with dates:
    # DTN, FC, OCD, OSP, ICD.
    "CP": "1=money 2=code 3=number 4=number 5=code 6=code",
    "CQ": "1=number 2=code",
    "MOP": "1=code 2=money 3=code",
    "DDI": "1=number 2=money 3=number",
    "PTA": "1=code 2=code 3=money 4=money",
    "UVC": "1=code 2=money",
    "DTN": "1=code 2=number",
    "FC": "1=code 2=date",
    "OSP": "1=code 2=date 3=date",
    "ICD": "1=code 2=code 3=date",
    "JCC": "1=code 2=code 3=text",
    "PLN": "1=id 2=code 3=text 4=date",
}

_SEGMENTS = {
    "MSH": "1=keep 2=keep 3=keep 4=HD 5=keep 6=HD 7=date 8=empty 9=keep 10=id 11=keep 12=keep "
    "13=keep 14=keep 15=keep 16=keep 17=keep 18=keep 19=keep 20=keep 21=keep",
    "FHS": "1=keep 2=keep 3=keep 4=HD 5=keep 6=HD 7=date 8=empty 9=id 10=text 11=id 12=id",
    "BHS": "1=keep 2=keep 3=keep 4=HD 5=keep 6=HD 7=date 8=empty 9=id 10=text 11=id 12=id",
    "FTS": "1=keep 2=text", "BTS": "1=keep 2=text 3=keep",
    "SFT": "1=keep 2=keep 3=keep 4=keep 5=text 6=date",
    "MSA": "1=keep 2=id 3=text 4=keep 5=keep 6=keep",
    "ERR": "1=keep 2=keep 3=keep 4=keep 5=keep 6=text 7=text 8=text",
    "EVN": "1=keep 2=date 3=date 4=keep 5=XCN:staff 6=date 7=HD",
    "PID": "1=keep 2=CX:mrn 3=CX:mrn 4=CX:mrn 5=XPN:name 6=XPN:relative 7=date 8=keep 9=XPN:name "
    "10=CODE 11=XAD 12=city 13=XTN 14=XTN 15=CODE 16=CODE 17=CODE 18=CX:account 19=ssn 20=DLN "
    "21=CX:mrn 22=CODE 23=city 24=keep 25=keep 26=CODE 27=CODE 28=CODE 29=date 30=keep 31=keep "
    "32=keep 33=date 34=HD 35=CODE 36=CODE 37=text 38=CODE 39=CODE 40=XTN",
    "PD1": "1=keep 2=keep 3=XON 4=XCN:staff 5=keep 6=keep 7=keep 8=keep 9=keep 10=CX:id 11=keep "
    "12=keep 13=date 14=XON 15=CODE 16=keep 17=date 18=date",
    "NK1": "1=keep 2=XPN:relative 3=CODE 4=XAD 5=XTN 6=XTN 7=CODE 8=date 9=date 10=text 11=text "
    "12=CX:id 13=XON 14=CODE 15=keep 16=date 17=keep 18=keep 19=CODE 20=CODE 21=code 22=CODE "
    "23=code 24=code 25=CODE 26=XPN:relative 27=CODE 28=CODE 29=CE 30=XPN:relative 31=XTN 32=XAD "
    "33=CX:id 34=code 35=CODE 36=code 37=ssn 38=city 39=code 40=XTN 41=XTN",
    "PV1": "1=keep 2=keep 3=PL 4=keep 5=CX:account 6=PL 7=XCN:staff 8=XCN:staff 9=XCN:staff "
    "10=keep 11=PL 12=keep 13=keep 14=keep 15=keep 16=keep 17=XCN:staff 18=keep 19=CX:account "
    "20=FC 21=keep 22=keep 23=keep 24=keep 25=date 26=keep 27=keep 28=keep 29=code 30=date "
    "31=keep 32=keep 33=keep 34=keep 35=date 36=keep 37=organization 38=CODE 39=organization "
    "40=keep 41=keep 42=PL 43=PL 44=date 45=date 46=keep 47=keep 48=keep 49=keep 50=CX:account "
    "51=keep 52=XCN:staff",
    "PV2": "1=PL 2=CODE 3=CE 4=CE 5=text 6=text 7=keep 8=date 9=date 10=keep 11=keep 12=text "
    "13=XCN:staff 14=date 15=keep 16=keep 17=date 18=keep 19=keep 20=keep 21=keep 22=keep "
    "23=XON 24=keep 25=keep 26=date 27=keep 28=date 29=date 30=CODE 31=code 32=code 33=date "
    "34=code 35=code 36=code 37=code 38=CODE 39=CODE 40=CODE 41=CODE 42=CODE 43=code 44=code "
    "45=CODE 46=date 47=date 48=date 49=code 50=CODE",
    "MRG": "1=CX:mrn 2=CX:mrn 3=CX:account 4=CX:mrn 5=CX:account 6=CX:account 7=XPN:name",
    "ORC": "1=keep 2=EI:id 3=EI:id 4=EI:id 5=keep 6=keep 7=TQ 8=EIP:id 9=date 10=XCN:staff "
    "11=XCN:staff 12=XCN:staff 13=PL 14=XTN 15=date 16=CE 17=CE 18=CODE 19=XCN:staff 20=CODE "
    "21=XON 22=XAD 23=XTN 24=XAD 25=CODE 27=date",
    "OBR": "1=keep 2=EI:id 3=EI:id 4=CODE 5=keep 6=date 7=date 8=date 9=keep 10=XCN:staff 11=keep "
    "12=keep 13=text 14=date 15=CE 16=XCN:staff 17=XTN 18=mark 19=mark 20=mark 21=mark 22=date "
    "23=keep 24=keep 25=keep 26=keep 27=TQ 28=XCN:staff 29=EIP:id 30=keep 31=CE 32=NDL 33=NDL "
    "34=NDL 35=NDL 36=date 37=keep 38=CODE 39=CE 40=CODE 41=keep 42=keep 43=CE 44=CODE 45=CODE",
    "OBX": "1=keep 2=keep 3=CODE 4=keep 5=value 6=CODE 7=keep 8=keep 9=keep 10=keep 11=keep "
    "12=date 13=text 14=date 15=XON 16=XCN:staff 17=CODE 18=EI:device 19=date 20=CODE 21=EI:id "
    "23=XON 24=XAD 25=XCN:staff",
    "NTE": "1=keep 2=keep 3=text 4=CODE 5=XCN:staff 6=date 7=date 8=date",
    "AL1": "1=keep 2=CODE 3=CE 4=CODE 5=text 6=date",
    "DG1": "1=keep 2=keep 3=CE 4=text 5=date 6=keep 7=CODE 8=CODE 9=keep 10=CODE 11=keep 12=keep "
    "13=keep 14=keep 15=keep 16=XCN:staff 17=keep 18=keep 19=date 20=EI:id",
    "PR1": "1=keep 2=keep 3=CE 4=text 5=date 6=keep 7=keep 8=XCN:staff 9=keep 10=keep "
    "11=XCN:staff 12=XCN:staff 13=CODE 14=keep 15=CE 16=CODE 17=code 18=CODE 19=EI:id 20=code "
    "21=CODE 22=CODE 23=PL 24=code 25=EI:id",
    "IN1": "1=keep 2=CX:plan 3=CX:plan 4=XON 5=XAD 6=XPN:staff 7=XTN 8=plan 9=XON 10=CX:plan "
    "11=XON 12=date 13=date 14=plan 15=keep 16=XPN:relative 17=CODE 18=date 19=XAD 20=keep "
    "21=keep 22=keep 23=keep 24=date 25=keep 26=date 27=keep 28=plan 29=date 30=XCN:staff "
    "31=keep 32=keep 33=number 34=number 35=keep 36=plan 37=CP 38=CP 39=number 40=CP 41=CP "
    "42=CODE 43=keep 44=XAD 45=code 46=plan 47=code 48=code 49=CX:plan 50=code 51=date 52=city "
    "53=code",
    "GT1": "1=keep 2=CX:account 3=XPN:relative 4=XPN:relative 5=XAD 6=XTN 7=XTN 8=date 9=keep "
    "10=keep 11=CODE 12=ssn 13=date 14=date 15=keep 16=organization 17=XAD 18=XTN 19=CX:id 20=code "
    "21=XON 22=code 23=CODE 24=date 25=code 26=CODE 27=CP 28=number 29=CX:id 30=CODE 31=date "
    "32=date 33=code 34=code 35=CODE 36=CODE 37=code 38=CODE 39=code 40=code 41=CODE "
    "42=XPN:relative 43=CODE 44=CODE 45=XPN:relative 46=XTN 47=CE 48=code 49=text 50=JCC 51=XON "
    "52=code 53=code 54=FC 55=CODE 56=city 57=code",
    "TXA": "1=keep 2=keep 3=keep 4=date 5=XCN:staff 6=date 7=date 8=date 9=XCN:staff 10=XCN:staff "
    "11=XCN:staff 12=EI:id 13=EI:id 14=EI:id 15=EI:id 16=text 17=keep 18=keep 19=keep 20=keep "
    "21=text 22=PPN:staff 23=XCN:staff",
    "SPM": "1=keep 2=EIP:id 3=EIP:id 4=CODE 5=CODE 6=CODE 7=CODE 8=CODE 9=CODE 10=CODE 11=CODE "
    "12=keep 13=keep 14=text 15=CODE 16=CODE 17=DR 18=date 19=date 20=keep 21=CE 22=CE 23=CE "
    "24=CE 25=CQ 26=number 27=CODE 28=CODE 29=CODE 30=CX:id 31=CX:id",
    "RXA": "1=keep 2=keep 3=date 4=date 5=CODE 6=keep 7=CODE 8=CODE 9=CE 10=XCN:staff 11=LA "
    "15=text 16=date 17=XON 20=keep 21=keep 22=date",
    "RXO": "1=CODE 2=keep 3=keep 4=CODE 5=CODE 6=CE 7=CE 8=LA 9=keep 10=CODE 11=keep 12=CODE "
    "13=keep 14=XCN:staff 15=XCN:staff",
    "RXE": "1=TQ 2=CODE 3=keep 4=keep 5=CODE 6=CODE 7=CE 8=LA 9=keep 10=keep 11=CODE 12=keep "
    "13=XCN:staff 14=XCN:staff 15=id 16=keep 17=keep 18=date 19=keep 20=keep 21=CE",
    "RXR": "1=CODE 2=CODE 3=CODE 4=CODE",
    "TQ1": "1=keep 2=keep 3=keep 4=keep 5=keep 6=keep 7=date 8=date 9=CODE 10=text 11=text",
    "TQ2": "1=code 2=code 3=EI:id 4=EI:id 5=EI:id 6=code 7=code 8=CQ 9=code 10=number",
    "RXC": "1=code 2=CODE 3=number 4=CODE 5=number 6=CODE 7=CE 8=number 9=CODE",
    "RXD": "1=number 2=CODE 3=date 4=number 5=CODE 6=CODE 7=id 8=number 9=text 10=XCN:staff "
    "11=code 12=CQ 13=LA 14=code 15=CE 16=number 17=CODE 18=device 19=date 20=CE 21=CE",
    "RXG": "1=number 2=number 3=TQ 4=CODE 5=number 6=number 7=CODE 8=CODE 9=CE 10=code 11=LA "
    "12=code 13=CE 14=code 15=code 16=CODE 17=number 18=CODE 19=device 20=date 21=CE 22=CE",
    "SAC": "1=EI:id 2=EI:id 3=EI:id 4=EI:id 5=EI:id 6=text 7=date 8=CODE",
    # Roles, participants and contacts.
    "ROL": "1=EI:id 2=code 3=CODE 4=XCN:staff 5=date 6=date 7=CE 8=CE 9=CODE 10=CODE 11=XAD "
    "12=XTN 13=PL 14=XON",
    "PRT": "1=EI:id 2=code 3=CE 4=CODE 5=XCN:staff 6=CODE 7=CODE 8=XON 9=PL 10=EI:device 11=date "
    "12=date 13=CE 14=XAD 15=XTN 16=EI:device 17=date 18=date 19=device 20=device 21=EI:id 22=CODE",
    "CTD": "1=CODE 2=XPN:staff 3=XAD 4=PL 5=XTN 6=CODE 7=PLN",
    "CTI": "1=EI:id 2=CE 3=CE",
    "ARV": "1=code 2=code 3=CODE 4=CE 5=text 6=DR",
    "CON": "1=code 2=CODE 3=id 4=EI:id 5=text 6=text 7=text 8=text 9=text 10=CODE 11=CODE 12=date "
    "13=date 14=date 15=date 16=code 17=code 18=code 19=code 20=CE 21=code 22=CE 23=CE "
    "24=XPN:relative 25=code",
    # Appointments.
    "SCH": "1=EI:id 2=EI:id 3=number 4=EI:id 5=CE 6=CE 7=CE 8=CE 9=number 10=CODE 11=TQ "
    "12=XCN:staff 13=XTN 14=XAD 15=PL 16=XCN:staff 17=XTN 18=XAD 19=PL 20=XCN:staff 21=XTN 22=PL "
    "23=EI:id 24=EI:id 25=CODE 26=EI:id 27=EI:id",
    "ARQ": "1=EI:id 2=EI:id 3=number 4=EI:id 5=CE 6=CE 7=CE 8=CE 9=number 10=CODE 11=DR 12=code "
    "13=text 14=code 15=XCN:staff 16=XTN 17=XAD 18=PL 19=XCN:staff 20=XTN 21=PL 22=EI:id 23=EI:id "
    "24=EI:id 25=EI:id",
    "RGS": "1=code 2=code 3=RESOURCE",
    "AIS": "1=code 2=code 3=CE 4=date 5=number 6=CODE 7=number 8=CODE 9=code 10=CODE 11=CE 12=CE",
    "AIG": "1=code 2=code 3=RESOURCE 4=CE 5=RESOURCE 6=number 7=CODE 8=date 9=number 10=CODE "
    "11=number 12=CODE 13=code 14=CODE",
    "AIL": "1=code 2=code 3=PL 4=CE 5=RESOURCE 6=date 7=number 8=CODE 9=number 10=CODE 11=code "
    "12=CODE",
    "AIP": "1=code 2=code 3=XCN:staff 4=CE 5=RESOURCE 6=date 7=number 8=CODE 9=number 10=CODE "
    "11=code 12=CODE",
    # Accounts and insurance.
    "FT1": "1=code 2=id 3=id 4=DR 5=date 6=code 7=CODE 8=text 9=text 10=number 11=CP 12=CP 13=CE "
    "14=CX:plan 15=CP 16=PL 17=code 18=code 19=CE 20=XCN:staff 21=XCN:staff 22=CP 23=EI:id "
    "24=XCN:staff 25=CODE 26=CODE 27=CODE 28=CE 29=CODE 30=CX:id 31=id 32=XON 33=XON 34=CODE "
    "35=device 36=CODE 37=CE 38=CX:id 39=CX:id 40=CODE 41=CODE 42=id 43=CQ",
    "IN2": "1=CX:id 2=ssn 3=XCN:organization 4=code 5=code 6=plan 7=XPN:relative 8=plan "
    "9=XPN:relative 10=id 11=CODE 12=organization 13=organization 14=code 15=code 16=code 17=date "
    "18=code 19=code 20=code 21=number 22=XPN:staff 23=text 24=code 25=CX:plan 26=CX:plan 27=code "
    "28=PTA 29=PTA 30=DDI 31=code 32=code 33=CODE 34=CODE 35=code 36=CODE 37=code 38=code 39=CODE "
    "40=XPN:relative 41=CODE 42=CODE 43=CODE 44=date 45=date 46=text 47=JCC 48=code 49=XPN:staff "
    "50=XTN 51=code 52=XPN:relative 53=XTN 54=code 55=date 56=date 57=code 58=XTN 59=code 60=code "
    "61=CX:plan 62=CODE 63=XTN 64=XTN 65=CODE 66=code 67=code 68=code 69=XON 70=XON 71=CODE "
    "72=CODE",
    "IN3": "1=code 2=CX:plan 3=XCN:staff 4=code 5=MOP 6=date 7=date 8=XCN:staff 9=date 10=date "
    "11=DTN 12=CE 13=date 14=XCN:staff 15=staff 16=XTN 17=CE 18=CE 19=XTN 20=ICD 21=staff 22=date "
    "23=code 24=code 25=XCN:staff",
    "ACC": "1=date 2=CODE 3=text 4=CODE 5=code 6=code 7=XCN:staff 8=text 9=relative 10=code 11=XAD "
    "12=number 13=EI:id",
    "UB1": "1=code 2=number 3=number 4=number 5=number 6=number 7=code 8=number 9=number 10=UVC "
    "11=number 12=CODE 13=CODE 14=date 15=date 16=FC 17=CODE 18=date 19=date",
    "UB2": "1=code 2=number 3=code 4=number 5=number 6=UVC 7=FC 8=OSP 13=id 14=id 17=number",
    "DRG": "1=CODE 2=date 3=code 4=code 5=CODE 6=number 7=CP 8=code 9=CP 10=code 11=code "
    "12=XPN:staff",
    # What is known of a patient besides.
    "ABS": "1=XCN:staff 2=CODE 3=CODE 4=date 5=XCN:staff 6=CODE 7=date 8=XCN:staff 9=CODE 10=code "
    "11=CODE 12=number 13=CODE 14=code",
    "BLC": "1=CODE 2=CQ",
    "DB1": "1=code 2=code 3=CX:id 4=code 5=date 6=date 7=date 8=date",
    "PDA": "1=CE 2=PL 3=code 4=date 5=XCN:staff 6=code 7=DR 8=XCN:staff 9=code",
    "IAM": "1=code 2=CODE 3=CE 4=CODE 5=text 6=CODE 7=EI:id 8=text 9=CODE 10=CODE 11=date 12=text "
    "13=date 14=XPN:relative 15=CODE 16=CODE 17=CODE 18=XCN:staff 19=XON 20=date",
    "PRB": "1=code 2=date 3=CE 4=EI:id 5=EI:id 6=number 7=date 8=date 9=date 10=CODE 11=CODE "
    "12=CODE 13=CODE 14=CODE 15=date 16=date 17=text 18=CE 19=CE 20=number 21=CODE 22=CODE "
    "23=CODE 24=text 25=CODE",
    "RMI": "1=CODE 2=date 3=CODE",
    "ODS": "1=code 2=CODE 3=CE 4=text",
    "ODT": "1=CODE 2=CODE 3=text",
    "DSP": "1=code 2=code 3=text 4=text 5=text",
    "DSC": "1=id 2=code",
}  # fmt: skip

VALUES: Mapping[str, str] = {
    "TX": TEXT, "FT": TEXT, "ST": TEXT, "": TEXT,
    "NM": "number", "SN": "number", "SI": "number", "TM": "time", "ID": "code", "IS": "code",
    "CE": "CE", "CWE": "CE", "CNE": "CE", "CF": "CE",
    "DT": DATE, "TS": DATE, "DTM": DATE, "DR": "DR",
    "XPN": "XPN:name", "PN": "XPN:name", "XCN": "XCN:staff", "CN": "XCN:staff", "XAD": "XAD",
    "AD": "XAD", "XTN": "XTN", "TN": "phone", "CX": "CX:id", "CK": "CX:id", "EI": "EI:id",
    "XON": "XON", "HD": "HD", "PL": "PL",
}  # fmt: skip
"""The rule of OBX-5 by the data type in OBX-2. Others, such as ED (files) and RP (links to them),
cannot be looked into."""


def _parse(table: Mapping[str, str]) -> dict[str, dict[int, str]]:
    parsed: dict[str, dict[int, str]] = {}
    for name, rules in table.items():
        pairs = (rule.partition("=") for rule in rules.split())
        parsed[name] = {int(number): rule for number, _, rule in pairs}
    return parsed


TYPES: Mapping[str, Mapping[int, str]] = _parse(
    {
        **_TYPES,
        "NDL": _TYPES["XCN"].replace("2=family 3=given 4=middle", "2=text 3=text 4=text"),
        # Who did something and when.
        "PPN": _TYPES["XCN"].replace("15=code", "15=date"),
    }
)
"""Data type -> number of the component -> rule; `*` is the kind that the field gives."""

SEGMENTS: Mapping[str, Mapping[int, str]] = _parse(_SEGMENTS)
"""Segment -> number of the field -> rule."""
