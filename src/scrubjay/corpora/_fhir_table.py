"""Which elements of FHIR R4 resources are what: coded, identifying, or free text.

The rule is: a string that is not named here as coded is free text, and a model reads it. Dates and
the data types of persons (HumanName, Address, ContactPoint, Identifier, Reference) are known by
their form, wherever they stand.
"""

from __future__ import annotations

from collections.abc import Mapping

RESOURCES = frozenset([
    "AdverseEvent", "AllergyIntolerance", "Appointment", "Basic", "Binary", "Bundle", "CarePlan",
    "CareTeam", "Claim", "ClinicalImpression", "Communication", "CommunicationRequest",
    "Composition", "Condition", "Coverage", "DetectedIssue", "Device", "DiagnosticReport",
    "DocumentReference", "Encounter", "EpisodeOfCare", "ExplanationOfBenefit",
    "FamilyMemberHistory", "Flag", "Goal", "HealthcareService", "ImagingStudy", "Immunization",
    "List", "Location", "Media", "Medication", "MedicationAdministration", "MedicationDispense",
    "MedicationRequest", "MedicationStatement", "NutritionOrder", "Observation",
    "OperationOutcome", "Organization", "Patient", "Person", "Practitioner", "PractitionerRole",
    "Procedure", "Provenance", "QuestionnaireResponse", "RelatedPerson", "RiskAssessment",
    "ServiceRequest", "Specimen", "Substance", "Task", "VisionPrescription",
])  # fmt: skip
"""The types whose elements these tables were written for; the others are unknown."""

NOBODY = frozenset([
    "Binary", "Device", "HealthcareService", "Location", "Medication", "OperationOutcome",
    "Organization", "Practitioner", "PractitionerRole", "Substance",
])  # fmt: skip
"""The types that are about no patient."""

CODED = frozenset([
    "authorityLevel", "canonical", "code", "comparator", "contentType", "criticality", "currency",
    "dayOfWeek", "docStatus", "durationUnit", "durationMax", "gender", "implicitRules",
    "instantiatesCanonical", "intent", "kind", "language", "linkId", "method", "mode", "outcome",
    "periodUnit", "priority", "profile", "questionnaire", "relation", "resourceType", "severity",
    "status", "system", "type", "unit", "use", "valueCanonical", "valueCode",
    "verificationStatus", "version", "versionId", "when",
])  # fmt: skip
"""Elements of codes, canonical addresses and the like: kept where the value looks like a code."""

LINKS = frozenset(["reference", "fullUrl", "url", "location"])
"""Elements that hold the address of a resource, or another one; `url` names extensions, too."""

REMOVED = frozenset(
    ["photo", "signature", "position", "link:Bundle", "search", "ifNoneExist", "query:AuditEvent"]
)
"""Elements that are left out: pictures, signatures, coordinates, and the queries of a server."""

ADDRESS: Mapping[str, str] = {
    "line": "street", "city": "city", "district": "city", "state": "state", "postalCode": "zip",
    "country": "country", "text": "address",
}  # fmt: skip

PERSONS: Mapping[str, str] = {
    "Patient": "name", "Person": "name", "RelatedPerson": "relative", "Practitioner": "staff",
    "PractitionerRole": "staff", "Organization": "organization", "Location": "organization",
    "HealthcareService": "organization", "CareTeam": "organization", "Device": "device",
}  # fmt: skip
"""The type of a resource -> the kind of identifier that its name is."""

ROLES: Mapping[str, str] = {
    "subject": "name", "patient": "name", "beneficiary": "name", "subscriber": "relative",
    "author": "staff", "performer": "staff", "practitioner": "staff", "requester": "staff",
    "recorder": "staff", "asserter": "staff", "attester": "staff", "party": "staff",
    "individual": "staff", "actor": "staff", "who": "staff", "sender": "staff",
    "recipient": "staff", "generalPractitioner": "staff", "participant": "staff",
    "prescriber": "staff", "authenticator": "staff", "informationSource": "staff",
    "resultsInterpreter": "staff", "collector": "staff", "administrator": "staff",
    "custodian": "organization", "serviceProvider": "organization", "organization": "organization",
    "managingOrganization": "organization", "location": "organization", "payor": "organization",
    "assigner": "organization", "provider": "staff", "member": "staff", "onBehalfOf":
    "organization", "authorReference": "staff", "insurer": "organization", "facility":
    "organization", "origin": "organization", "destination": "organization",
    "sourcePatientInfo": "name", "other": "name", "policyHolder": "relative", "enterer": "staff",
    "assessor": "staff", "operator": "staff", "owner": "staff", "careManager": "staff",
    "supervisor": "staff", "interpreter": "staff", "verifier": "staff", "responsible": "staff",
    "source": "staff", "receiver": "staff", "reporter": "staff", "manager": "staff",
    "issuer": "organization",
}  # fmt: skip
"""The element of a reference without a type -> the kind of identifier that its display is."""

VALUES: Mapping[str, str] = {
    "authorString": "staff", "subscriberId": "plan", "serialNumber": "device", "udiCarrier":
    "device", "deviceIdentifier": "device", "carrierHRF": "device", "carrierAIDC": "device",
    "lotNumber": "device", "distinctIdentifier": "device", "deceasedAge": "", "birthPlace": "city",
    "alias:Organization": "organization", "alias:Location": "organization",
    "name:Organization": "organization", "name:Location": "organization",
    "name:HealthcareService": "organization", "name:FamilyMemberHistory": "relative",
    "valueId": "id", "valueOid": "id", "valueUuid": "id", "uid": "id", "number:ImagingStudy": "",
    "value:Coverage": "plan", "preAuthRef": "id", "businessArrangement": "id", "birthDate": "date",
    "valueAddress": "address", "address": "address", "telecom": "phone", "identifier": "id",
}  # fmt: skip
"""Element, or element and type of the resource -> the kind of identifier that the string is. Some
of them are objects by the rules, and no string: what comes as one is taken as a whole, too."""

NAMED = frozenset(["Patient", "Person", "Practitioner", "RelatedPerson"])
"""The types of which a `name` that is a string, against the rules, is that of a person."""

INSTANTS = frozenset([
    "date:DocumentReference", "end:Appointment", "issued", "lastUpdated", "recorded:Provenance",
    "start:Appointment", "timestamp", "valueInstant",
])  # fmt: skip
"""Elements, or elements and types of resources, that hold a moment, which no year alone is."""

ADXP = "iso21090-ADXP-"
EXTENSIONS: Mapping[str, str] = {
    "patient-mothersMaidenName": "relative", "humanname-own-name": "person",
    "humanname-partner-name": "person", "humanname-fathers-family": "person",
    "humanname-mothers-family": "person", "contactpoint-area": "phone",
    "contactpoint-local": "phone", "contactpoint-extension": "phone",
    "patient-congregation": "organization",
}  # fmt: skip
"""The end of the address of an extension -> the kind of its string; `person` is what a name is
where it stands. Those that begin with `ADXP` are pieces of an address."""
MASKED = {
    "extension": [
        {
            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
            "valueCode": "masked",
        }
    ]
}
"""What FHIR has for a value that is not shown (`data-absent-reason`)."""
