/** Requests to this machine. */

/** An answer that tells a problem; `code` is the service's name for it. */
export class Refused extends Error {
  constructor(told, status) {
    super([told.detail ?? "The service could not answer.", told.hint].filter(Boolean).join(" "));
    this.code = told.code ?? "unknown";
    this.status = status;
    this.told = told;
  }
}

/** Send a JSON body and return the JSON of the answer; raises `Refused` for a problem. */
export async function send(address, body, options = {}) {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      ...options,
    });
  } catch {
    throw new Refused({ code: "unreachable", detail: "The service does not answer." }, 0);
  }
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(told, response.status);
  return told;
}
