/** Puts the shell of a platform around a command, every token quoted, so that none is read as shell text. */

/**
 * Seed 001 §3.1 for Windows and macOS; elsewhere `sh -c`, never a login shell, which would rewrite PATH. By its path,
 * so that it is there whatever PATH holds.
 */
export function shellArgv(command: readonly string[], platform: NodeJS.Platform): readonly string[] {
  if (platform === "win32") {
    const line = `& ${command.map(quotedForPowerShell).join(" ")}; ${EXIT_CODE}`;
    return ["pwsh.exe", "-NoLogo", "-NoProfile", "-Command", line];
  }
  const line = command.map(quotedForUnix).join(" ");
  return platform === "darwin" ? ["zsh", "-lc", line] : ["/bin/sh", "-c", line];
}

/** pwsh loses exit codes; and where it could not call the program at all, there is none, which it would take for 0. */
const EXIT_CODE = "if (-not $? -and $null -eq $LASTEXITCODE) { exit 127 }; exit $LASTEXITCODE";

function quotedForUnix(token: string): string {
  return `'${token.replaceAll("'", "'\\''")}'`;
}

/** PowerShell takes typographic quotes for quotes as well: each is doubled by itself. */
function quotedForPowerShell(token: string): string {
  return `'${token.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`;
}
