/**
 * Puts a platform's shell around a command and quotes all tokens: none is shell text (seed 001 §3.1, §3.3).
 */

/**
 * Seed 001 §3.1 for Windows and macOS. Elsewhere `sh -c`, never a login shell, which would rewrite PATH. The shell
 * is named by its path, so that it does not depend on PATH.
 */
export function shellArgv(command: readonly string[], platform: NodeJS.Platform): readonly string[] {
  if (platform === "win32") {
    const line = `& ${command.map(quotedForPowerShell).join(" ")}; ${EXIT_CODE}`;
    return ["pwsh.exe", "-NoLogo", "-NoProfile", "-Command", line];
  }
  const line = command.map(quotedForUnix).join(" ");
  return platform === "darwin" ? ["zsh", "-lc", line] : ["/bin/sh", "-c", line];
}

/** pwsh loses exit codes. If it could not call the program, there is no exit code, and it would answer 0. */
const EXIT_CODE = "if (-not $? -and $null -eq $LASTEXITCODE) { exit 127 }; exit $LASTEXITCODE";

function quotedForUnix(token: string): string {
  return `'${token.replaceAll("'", "'\\''")}'`;
}

/** PowerShell treats typographic quotes as quotes too: each is doubled. */
function quotedForPowerShell(token: string): string {
  return `'${token.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`;
}
