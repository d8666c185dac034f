/** Holds the status page's script: it follows the facts and updates the page after each new fact. */
import { elapsedText } from "../../contract/words/elapsed.ts";

/** The server draws; the script only fetches the page again and swaps what changed. Focus and open details stay. */
export const STATUS_SCRIPT = `const connection = document.getElementById("connection");
let busy = false;
let stale = false;

async function refresh() {
  stale = true;
  if (busy || document.hidden) return;
  busy = true;
  try {
    while (stale && !document.hidden) {
      stale = false;
      const response = await fetch("/", { cache: "no-store" });
      if (response.status === 401) return location.reload();
      swap(new DOMParser().parseFromString(await response.text(), "text/html"));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  } catch {
    connection.textContent = "Reconnecting…";
  } finally {
    busy = false;
  }
}

function swap(fresh) {
  const main = document.getElementById("main");
  const next = fresh.getElementById("main");
  if (!next) return;
  for (const details of main.querySelectorAll("details[open]"))
    next.querySelector("#" + CSS.escape(details.id))?.setAttribute("open", "");
  if (main.innerHTML === next.innerHTML) return;
  const focused = main.contains(document.activeElement)
    ? document.activeElement.closest("details")?.id
    : null;
  main.replaceChildren(...next.childNodes);
  if (focused) document.getElementById(focused)?.querySelector("summary")?.focus();
}

const elapsed = ${elapsedText};

setInterval(() => {
  if (document.hidden) return;
  for (const time of document.querySelectorAll("time[data-live]"))
    time.textContent = elapsed(Date.now() - Date.parse(time.dataset.since));
}, 1000);

const facts = new EventSource("/api/v1/events");
facts.addEventListener("open", () => {
  connection.textContent = "Live";
  refresh();
});
facts.addEventListener("fact", refresh);
facts.addEventListener("error", () => {
  connection.textContent =
    facts.readyState === EventSource.CLOSED ? "Not connected: reload the page" : "Reconnecting…";
});
document.addEventListener("visibilitychange", () => {
  if (stale) refresh();
});
`;
