/** Lists keys of accounts: of data and its platforms, of models, of money, and of people. */
import { isMadeUp } from "../made-up.ts";
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { AMBIGUOUS, AMBIGUOUS_WHOLE, GENERATED, isGenerated, token, tokens, WHOLE } from "../token.ts";

export const ACCOUNTS: readonly SecretShape[] = [
  ...tokens()`
    AWS session token           | IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz | ${BASE64}{100,}={0,2}
    Google Cloud Storage key id | GOOG1E GOOG              | [A-Z0-9]{20,61}
    Gretel key                  | grtu                     | ${HEX}{64}
    Freepik key                 | FPSX                     | ${HEX}{32}
    Canva secret                | cnvca                    | ${WORD}{40,60}
    Coveo key                   | xx0 xx1 xx2 xx3 xx4 xx5 xx6 xx7 xx8 xx9 xxa xxb xxc xxd xxe xxf | [0-9a-f]{7}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}
    Flutterwave encryption key  | FLWSECK_TEST             | ${HEX}{12}
    HubSpot personal key        | CiRuYTEt CiRuYTIt CiRldTEt CiRhcDEt | ${BASE64}{60,}={0,2}
  `,
  ...tokens(WHOLE)`
    Cloudflare tunnel token     | eyJhIjoi                 | [A-Za-z0-9+/]{150,}={0,2}
    Cloudflare Turnstile secret | 0x4AAAAA                 | ${WORD}{27,28}
    DNSimple token              | dnsimple_a_ dnsimple_u_ dnsimple_o_ | ${ALNUM}{32,}
    Flexport token              | shltm_                   | ${WORD}{40,}
    Alchemy token               | alcht_                   | ${ALNUM}{30}
    Astra token                 | AstraCS:                 | ${ALNUM}{20,}(?::${HEX}{64})?
    dbt token                   | dbtc_ dbtu_ dbts_        | ${WORD}{36,}
    Llama Cloud key             | llx-                     | ${ALNUM}{40,}
    Lambda key                  | secret_                  | [a-z0-9-]{2,40}_${HEX}{32}\.(?<own>${ALNUM}{32})
    LangSmith token             | lsv2_                    | [a-z]{2,6}_(?<own>${HEX}{32}(?:_${HEX}{10})?)(?!_)
    Llama API key               | LLM|                     | [0-9]{14,18}\|(?<own>${WORD}{27,40})
    Cohere key                  | co_                      | (?=[A-Za-z]{0,39}[0-9])${ALNUM}{40}
    Coze token                  | pat_ cztei_ czu_         | ${ALNUM}{64,65}
    Humanloop key               | hl_sk_                   | ${HEX}{40,}
    Hugging Face OAuth token    | hf_oauth_ hf_jwt_        | (?:eyJ[A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]{20,}
    Africa's Talking key        | atsk_                    | ${HEX}{72}
    Aikido secret               | AIK_CI_ AIK_SECRET_ AIK_RUNTIME_ | (?:[0-9]{1,10}_){0,3}(?<own>${ALNUM}{20,})
    Apify token of a run        | apify_                   | [a-z]{2,12}_(?:[a-z]{2,12}_){1,3}(?<own>${ALNUM}{30,})
    Cashfree secret             | cfsk_ma_prod_ cfsk_ma_test_ | ${HEX}{32}_${HEX}{8}
    Cfx.re key                  | cfxk_                    | [A-Za-z0-9_-]{20,100}
    Checkout.com key            | sk_ sk_test_ sk_sbox_    | (?:${UUID}|(?=[a-z]{0,25}[2-7])[a-z2-7]{26}[a-z2-7*#$=]?)
    Close key                   | api_                     | ${ALNUM}{20,24}\.${ALNUM}{20,24}
    Dub key                     | dub_                     | ${ALNUM}{24}
    DigitalOcean system token   | dos_v1_                  | ${HEX}{64}
    eBay secret                 | PRD- SBX-                | ${HEX}{8,12}-(?:${HEX}{4}-){3}${HEX}{4,12}
    Finage key                  | API_KEY                  | (?=[A-Z]{0,20}[0-9])[0-9A-Z]{32}
    Fleetbase key               | flb_live_ flb_test_      | ${ALNUM}{20,}
    GC Notify key               | gcntfy-                  | [A-Za-z0-9_]{1,80}-${UUID}-${UUID}
    GrowthBook key              | secret_admin_ secret_readonly_ secret_user_ | ${WORD}{20,}
    hCaptcha secret             | ES_                      | ${HEX}{32}
    HighLevel token             | pit-                     | ${UUID}
    Lark session                | XN0YXJ0-                 | ${WORD}{20,120}-WVuZA
    Lichess OAuth token         | lio_                     | ${ALNUM}{20,32}
  `,
  ...tokens(GENERATED)`
    Alibaba Cloud session token | STS.          | ${ALNUM}{16,64}
    Dify key                    | app- dataset- | ${ALNUM}{24}
    Composio key                | ak_           | ${WORD}{20}
    key of a bank               | live_ test_   | ${ALNUM}{24,44}
    Geo IPify key               | at_           | ${ALNUM}{29}
  `,
  token(
    "Azure classic ML or API Management key",
    "+AMC APIM",
    `${BASE64}{76}(?:\\+AMC|APIM)${BASE64}{5}[AQgw]==`,
    { before: 76 },
  ),
  token("Azure Event Grid key", "AZEG", `${BASE64}{33}AZEG${BASE64}{5}[AEIMQUYcgkosw048]=`, { before: 33 }),
  token(
    "Airtable OAuth token",
    ".v1. .v2. .v3.",
    `${ALNUM}{17}\\.v[1-3]\\.[A-Za-z0-9_-]{10,400}\\.(?<own>${HEX}{64})`,
    { before: 17, wordStart: true },
  ),
  token("Brave Search key", "BSA", `${WORD}{24,32}`, { isAmbiguous: true, isReal: isGenerated }),
  token("Courier key", "pk_prod_ pk_test_", "[A-Z0-9]{28}", {
    wordStart: true,
    isReal: (candidate) => /\d/.test(candidate) && !isMadeUp(candidate),
  }),
  token("Databricks OAuth token", "doau doar doac dsap docl", `${HEX}{32}`, AMBIGUOUS),
  token("dfuse key", "web_", `${HEX}{32}`, AMBIGUOUS_WHOLE),
];
