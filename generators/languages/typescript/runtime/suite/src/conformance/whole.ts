/** A run of all laws in one process, which nothing may end before the last of them is loaded. */

let isWhole = false;

process.once("exit", () => {
  if (!isWhole) {
    process.exitCode = 1;
    console.error("the process ended before every law was loaded");
  }
});

/** Says that every test file is loaded; from then on each law looks after its own cases. */
export function loaded(): void {
  isWhole = true;
}
