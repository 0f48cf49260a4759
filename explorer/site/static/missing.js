// The page of a missing address: says what is missing, and the command that answers it.

const path = decodeURIComponent(location.pathname).slice(0, 200);
const [, kind, name] = path.match(/\/(systems|conventions)\/([\w-]+)/) ?? [];
const auction = new URLSearchParams(location.search).get("auction");
const what = document.getElementById("what");
const command = document.getElementById("command");

what.textContent = `There is no page ${path}.`;
if (kind === "systems") {
  what.textContent = `The system ${name} is not on this site.`;
  command.textContent = `bidwright doc ${name} -o ${name}.html\nbidwright serve ${name}.bid`;
} else if (kind === "conventions") {
  what.textContent = `The convention ${name} is not on this site.`;
  command.textContent = `bidwright doc ${name}.bid -o ${name}.html`;
} else if (auction) {
  command.textContent = `bidwright explain '${auction.replace(/[^\w ()-]/g, "").replaceAll("-", " ")}'`;
}
