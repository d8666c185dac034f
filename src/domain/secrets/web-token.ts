/** Tells a real JSON web token from those that documentation shows. */
import { isFake } from "./fake-values.ts";

/** Subjects and issuers of the tokens that documentation shows. */
const EXAMPLES =
  /john doe|jane doe|1234567890|"example"|supabase-demo|"role":"anon"|"iss":"(?:joe|test)"|"some":"payload|"foo":"bar|"hello":"world|"name":"(?:test|alice|bob)"/i;
const MIN_SIGNATURE_LENGTH = 20;

/** Judges a token by its second and third part. */
export function isRealWebToken(payload: string, signature: string): boolean {
  if (signature.length < MIN_SIGNATURE_LENGTH || isFake(signature)) return false;
  return !EXAMPLES.test(decoded(payload));
}

function decoded(base64url: string): string {
  try {
    return atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  } catch {
    return "";
  }
}
