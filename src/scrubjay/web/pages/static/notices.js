/** Problems that the service answers parts of pages with, shown at the top of the page. */

const notice = document.getElementById("problem");

function tell(words) {
  notice.textContent = words;
  notice.hidden = words === "";
}

document.body.addEventListener("htmx:responseError", (event) => {
  let told = {};
  try {
    told = JSON.parse(event.detail.xhr.responseText);
  } catch {
    told = {};
  }
  tell([told.detail ?? "The service could not answer.", told.hint].filter(Boolean).join(" "));
});
document.body.addEventListener("htmx:sendError", () => tell("The service does not answer."));
document.body.addEventListener("htmx:afterSwap", () => tell(""));
