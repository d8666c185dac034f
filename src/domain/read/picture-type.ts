/** Tells the kind of a picture by its first bytes. Only kinds that a browser shows and that hold no script are known. */

export type PictureType = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif";

/** What a file begins with; a dot stands for any byte. */
const BEGINNINGS: readonly (readonly [type: PictureType, beginning: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n.\n/s],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  ["image/avif", /^.{4}ftypavi[fs]/s],
];

const LONGEST = 16;

/** Null if it is none of them. */
export function pictureType(bytes: Uint8Array): PictureType | null {
  const beginning = String.fromCharCode(...bytes.subarray(0, LONGEST));
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? null;
}

/** Most bytes of a picture that is shown beside a diff: ten mebibytes. */
export const MAX_PICTURE_BYTES = 10 * 1_048_576;
