/** Cuts a patch to a number of bytes, at the end of a line, and says how much is shown. */
interface Diff<File> {
  readonly files: File[];
  readonly patch: string;
  readonly truncated?: { readonly shown_bytes: number; readonly bytes: number } | undefined;
}

const MAX_FILES = 1_000;

/** The server may have cut it already: then the whole is what that says. */
export function cutDiff<File>(diff: Diff<File>, maxBytes: number) {
  const files = diff.files.slice(0, MAX_FILES);
  const bytes = Buffer.byteLength(diff.patch);
  const { truncated } = diff;
  if (bytes <= maxBytes)
    return { files, patch: diff.patch, ...(truncated === undefined ? {} : { truncated }) };
  const head = Buffer.from(diff.patch).subarray(0, maxBytes);
  const end = head.lastIndexOf(0x0a);
  const shown = head.subarray(0, end + 1);
  return {
    files,
    patch: shown.toString(),
    truncated: { shown_bytes: shown.byteLength, bytes: truncated?.bytes ?? bytes },
  };
}
