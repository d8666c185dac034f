/** Lists tokens of payment, shops, mail, messages and games. */
import { ALNUM, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { isGenerated, startsWith, token } from "../token.ts";

const WHOLE = { wordStart: true } as const;

export const BUSINESSES: readonly SecretShape[] = [
  token("MailerSend password", "mssp.", `${ALNUM}{7}\\.${ALNUM}{16}\\.${ALNUM}{7}`, WHOLE),
  token("Mollie access token", "access_", `${ALNUM}{30,60}`, {
    ...WHOLE,
    isAmbiguous: true,
    isReal: isGenerated,
  }),
  token("Modrinth token", "mrp_ mro_", `${ALNUM}{56,64}`, WHOLE),
  token("Mintlify key", "mint_", `${ALNUM}{24,}`, { ...WHOLE, isReal: isGenerated }),
  token("Nylas key", "nyk_v0_", `${ALNUM}{60,}`, WHOLE),
  token("OpenMeter key", "om_", `${ALNUM}{32}\\.${ALNUM}{43}`, WHOLE),
  token("Orbit token", "obu_ obw_", `${ALNUM}{30,}`, WHOLE),
  token("Pagar.me key", "ak_live_ ak_test_", `${ALNUM}{24,}`, WHOLE),
  token("Plain key", "plainApiKey_", "[A-Za-z0-9_]{30,}", WHOLE),
  token("Planning Center token", "pco_", `[a-z]{2,10}_${HEX}{40,}`, WHOLE),
  token("QuickNode address", ".quiknode.pro/", `${HEX}{40}`),
  token("Ramp credential", "ramp_id_ ramp_sec_ ramp_tok_ ramp_business_tok_", `${ALNUM}{32,}`),
  token("Riot key", "RGAPI-", UUID, WHOLE),
  token("Robinhood key", "rh-api-", UUID, WHOLE),
  token("Salesforce refresh token", "5Aep", "[A-Za-z0-9._]{60,100}"),
  token("Seam key", "seam_", `${ALNUM}{6,12}_${ALNUM}{24,}`, WHOLE),
  token("Shopee partner key", "shpk", `${ALNUM}{56,64}`),
  token("Shutterstock token", "v2/", `${ALNUM}{300,500}`, WHOLE),
  token("SignalWire token", startsWith("PT", "0123456789abcdef"), `${HEX}{47}`),
  token("Sindri key", "sindri_", `(?:[a-z]{3,12}_)?${ALNUM}{28,}(?:_${ALNUM}{4})?`, WHOLE),
  token("Sumsub token", "prd: sbx:", `${ALNUM}{20,28}\\.${ALNUM}{32}`, { ...WHOLE, isReal: isGenerated }),
  token("Tally key", "tly-", `${ALNUM}{28,}`, WHOLE),
  token("Tines webhook", ".tines.com/webhook/", `${HEX}{32}/(?<own>${HEX}{32})`),
  token("VK token", "vk1.a.", `${WORD}{80,}`, WHOLE),
  token("Weglot key", "wg_", `${HEX}{32,34}`, WHOLE),
  token("Whop key", "apik_", `${ALNUM}{30,}(?:_[A-Z]_[a-f0-9]{20,})?`, WHOLE),
  token("WooCommerce key", "ck_ cs_", `${HEX}{40}`, WHOLE),
  token("YooKassa key", "live_ test_", `${WORD}{40,46}`, {
    ...WHOLE,
    isAmbiguous: true,
    isReal: isGenerated,
  }),
];
