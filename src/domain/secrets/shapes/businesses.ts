/** Lists tokens of payment, shops, mail, messages and games. */
import { ALNUM, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { GENERATED, isGenerated, startsWith, token, tokens, WHOLE } from "../token.ts";

export const BUSINESSES: readonly SecretShape[] = [
  ...tokens()`
    QuickNode address        | .quiknode.pro/           | ${HEX}{40}
    Ramp credential          | ramp_id_ ramp_sec_ ramp_tok_ ramp_business_tok_ | ${ALNUM}{32,}
    Salesforce refresh token | 5Aep                     | [A-Za-z0-9._]{60,100}
    Shopee partner key       | shpk                     | ${ALNUM}{56,64}
    Tines webhook            | .tines.com/webhook/      | ${HEX}{32}/(?<own>${HEX}{32})
  `,
  ...tokens(WHOLE)`
    MailerSend password   | mssp.             | ${ALNUM}{7}\.${ALNUM}{16}\.${ALNUM}{7}
    Modrinth token        | mrp_ mro_         | ${ALNUM}{56,64}
    Nylas key             | nyk_v0_           | ${ALNUM}{60,}
    OpenMeter key         | om_               | ${ALNUM}{32}\.${ALNUM}{43}
    Orbit token           | obu_ obw_         | ${ALNUM}{30,}
    Pagar.me key          | ak_live_ ak_test_ | ${ALNUM}{24,}
    Plain key             | plainApiKey_      | [A-Za-z0-9_]{30,}
    Planning Center token | pco_              | [a-z]{2,10}_${HEX}{40,}
    Riot key              | RGAPI-            | ${UUID}
    Robinhood key         | rh-api-           | ${UUID}
    Seam key              | seam_             | ${ALNUM}{6,12}_${ALNUM}{24,}
    Shutterstock token    | v2/               | ${ALNUM}{300,500}
    Sindri key            | sindri_           | (?:[a-z]{3,12}_)?${ALNUM}{28,}(?:_${ALNUM}{4})?
    Tally key             | tly-              | ${ALNUM}{28,}
    VK token              | vk1.a.            | ${WORD}{80,}
    Weglot key            | wg_               | ${HEX}{32,34}
    Whop key              | apik_             | ${ALNUM}{30,}(?:_[A-Z]_[a-f0-9]{20,})?
    WooCommerce key       | ck_ cs_           | ${HEX}{40}
  `,
  ...tokens(GENERATED)`
    Mollie access token | access_     | ${ALNUM}{30,60}
    YooKassa key        | live_ test_ | ${WORD}{40,46}
  `,
  token("Mintlify key", "mint_", `${ALNUM}{24,}`, { wordStart: true, isReal: isGenerated }),
  token("SignalWire token", startsWith("PT", "0123456789abcdef"), `${HEX}{47}`),
  token("Sumsub token", "prd: sbx:", `${ALNUM}{20,28}\\.${ALNUM}{32}`, {
    wordStart: true,
    isReal: isGenerated,
  }),
];
