/** Reads the body of an answer within a limit. */

/** Null if it is longer than the limit. */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The last bytes of a body as text, of whole lines only; reading stops at the limit. */
export async function readTail(
  response: Response,
  limits: { readonly tailBytes: number; readonly maxBytes: number },
): Promise<string> {
  let tail = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    tail = Buffer.concat([tail, chunk]);
    if (tail.length > 2 * limits.tailBytes) tail = tail.subarray(-limits.tailBytes);
    if (length > limits.maxBytes) break;
  }
  const text = tail.subarray(-limits.tailBytes).toString();
  return length <= limits.tailBytes ? text : text.slice(text.indexOf("\n") + 1);
}
