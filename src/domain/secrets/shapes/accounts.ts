/** Lists keys of accounts: of tools that build and monitor, of data and models, of shops, mail and games. */
import { isFake } from "../fake-values.ts";
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import {
  AMBIGUOUS,
  AMBIGUOUS_WHOLE,
  GENERATED,
  isGenerated,
  startsWith,
  token,
  tokens,
  WHOLE,
} from "../token.ts";

export const ACCOUNTS: readonly SecretShape[] = [
  ...tokens()`
    Exoscale key                | EXO                                    | ${HEX}{24,30}
    AWS session token           | IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz | ${BASE64}{100,}={0,2}
    Google Cloud Storage key id | GOOG1E GOOG              | [A-Z0-9]{20,61}
    Gretel key                  | grtu                     | ${HEX}{64}
    Freepik key                 | FPSX                     | ${HEX}{32}
    Canva secret                | cnvca                    | ${WORD}{40,60}
    Coveo key                   | xx0 xx1 xx2 xx3 xx4 xx5 xx6 xx7 xx8 xx9 xxa xxb xxc xxd xxe xxf | [0-9a-f]{7}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}
    Flutterwave encryption key  | FLWSECK_TEST             | ${HEX}{12}
    HubSpot personal key        | CiRuYTEt CiRuYTIt CiRldTEt CiRhcDEt | ${BASE64}{60,}={0,2}
    QuickNode address           | .quiknode.pro/           | ${HEX}{40}
    Ramp credential             | ramp_id_ ramp_sec_ ramp_tok_ ramp_business_tok_ | ${ALNUM}{32,}
    Salesforce refresh token    | 5Aep                     | [A-Za-z0-9._]{60,100}
    Shopee partner key          | shpk                     | ${ALNUM}{56,64}
    Tines webhook               | .tines.com/webhook/      | ${HEX}{32}/(?<own>${HEX}{32})
  `,
  ...tokens(WHOLE)`
    Bitbucket Server token           | BBDC-                    | [A-Za-z0-9+/@_-]{40,50}
    Browserbase key                  | bb_live_ bb_test_        | ${WORD}{24,}
    Bitrise token                    | bitpat_ bitwat_          | ${WORD}{30,}
    Chromatic token                  | chpt_                    | ${HEX}{12,40}
    Cloudsmith key                   | csa_                     | ${HEX}{30}${ALNUM}{6}
    CodeSandbox token                | csb_v1_                  | ${WORD}{40,}
    ConfigCat key                    | configcat-sdk-1/         | ${WORD}{22}/${WORD}{22}
    Context7 key                     | ctx7sk-                  | ${UUID}
    CAST AI key                      | castai_v1_               | ${HEX}{64}_${HEX}{8}
    Datadog remote configuration key | DDRCM_                   | ${ALNUM}{30,}
    Daytona key                      | dtn_                     | ${HEX}{64}
    Depot token                      | depot_org_ depot_project_ depot_user_ | ${ALNUM}{32,}
    Devin key                        | apk_ apk_user_ cog_      | (?:${BASE64}{80,180}={0,2}|[a-z2-7]{52})
    DVC Studio token                 | isat_                    | ${WORD}{40,}
    FireHydrant token                | fhb-                     | ${HEX}{32,64}
    GuardSquare token                | gs_appsweep_ gs_cli_ gs_maven_ | ${WORD}{24,48}
    Hex token                        | hxtp_ hxtw_              | ${HEX}{60,}
    Honeybadger token                | hbp_                     | ${ALNUM}{36}
    hop token                        | ptk_ bearer_             | (?:[a-z]_)?${HEX}{40,}
    JetBrains token                  | perm: perm-              | [A-Za-z0-9+/=_-]{2,60}\.[A-Za-z0-9+/=_-]{2,60}\.(?<own>[A-Za-z0-9]{30,})
    JumpCloud key                    | jca_                     | ${ALNUM}{36,40}
    Kong token                       | kpat_ spat_              | ${ALNUM}{40,}
    Lightdash token                  | ldpat_ ldt_              | ${HEX}{32,64}
    Logfire token                    | pylf_v                   | [0-9]_(?:[a-z]{2,4}_)?(?<own>${ALNUM}{40,})
    Linear webhook secret            | lin_wh_                  | ${ALNUM}{32,}
    Gitpod token                     | gitpod_pat_              | [A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{30,}
    GitBook token                    | gb_api_                  | ${ALNUM}{36,}
    block protocol key               | b10ck5.                  | ${HEX}{32}\.${UUID}
    Amp token                        | sgamp_user_              | [0-9A-Z]{26}_${HEX}{64}
    Cloudflare tunnel token          | eyJhIjoi                 | [A-Za-z0-9+/]{150,}={0,2}
    Cloudflare Turnstile secret      | 0x4AAAAA                 | ${WORD}{27,28}
    DNSimple token                   | dnsimple_a_ dnsimple_u_ dnsimple_o_ | ${ALNUM}{32,}
    Flexport token                   | shltm_                   | ${WORD}{40,}
    Alchemy token                    | alcht_                   | ${ALNUM}{30}
    Astra token                      | AstraCS:                 | ${ALNUM}{20,}(?::${HEX}{64})?
    dbt token                        | dbtc_ dbtu_ dbts_        | ${WORD}{36,}
    Llama Cloud key                  | llx-                     | ${ALNUM}{40,}
    Lambda key                       | secret_                  | [a-z0-9-]{2,40}_${HEX}{32}\.(?<own>${ALNUM}{32})
    LangSmith token                  | lsv2_                    | [a-z]{2,6}_(?<own>${HEX}{32}(?:_${HEX}{10})?)(?!_)
    Llama API key                    | LLM|                     | [0-9]{14,18}\|(?<own>${WORD}{27,40})
    Cohere key                       | co_                      | (?=[A-Za-z]{0,39}[0-9])${ALNUM}{40}
    Coze token                       | pat_ cztei_ czu_         | ${ALNUM}{64,65}
    Humanloop key                    | hl_sk_                   | ${HEX}{40,}
    Hugging Face OAuth token         | hf_oauth_ hf_jwt_        | (?:eyJ[A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]{20,}
    Africa's Talking key             | atsk_                    | ${HEX}{72}
    Aikido secret                    | AIK_CI_ AIK_SECRET_ AIK_RUNTIME_ | (?:[0-9]{1,10}_){0,3}(?<own>${ALNUM}{20,})
    Apify token of a run             | apify_                   | [a-z]{2,12}_(?:[a-z]{2,12}_){1,3}(?<own>${ALNUM}{30,})
    Cashfree secret                  | cfsk_ma_prod_ cfsk_ma_test_ | ${HEX}{32}_${HEX}{8}
    Cfx.re key                       | cfxk_                    | [A-Za-z0-9_-]{20,100}
    Checkout.com key                 | sk_ sk_test_ sk_sbox_    | (?:${UUID}|(?=[a-z]{0,25}[2-7])[a-z2-7]{26}[a-z2-7*#$=]?)
    Close key                        | api_                     | ${ALNUM}{20,24}\.${ALNUM}{20,24}
    Dub key                          | dub_                     | ${ALNUM}{24}
    DigitalOcean system token        | dos_v1_                  | ${HEX}{64}
    eBay secret                      | PRD- SBX-                | ${HEX}{8,12}-(?:${HEX}{4}-){3}${HEX}{4,12}
    Finage key                       | API_KEY                  | (?=[A-Z]{0,20}[0-9])[0-9A-Z]{32}
    Fleetbase key                    | flb_live_ flb_test_      | ${ALNUM}{20,}
    GC Notify key                    | gcntfy-                  | [A-Za-z0-9_]{1,80}-${UUID}-${UUID}
    GrowthBook key                   | secret_admin_ secret_readonly_ secret_user_ | ${WORD}{20,}
    hCaptcha secret                  | ES_                      | ${HEX}{32}
    HighLevel token                  | pit-                     | ${UUID}
    Lark session                     | XN0YXJ0-                 | ${WORD}{20,120}-WVuZA
    Lichess OAuth token              | lio_                     | ${ALNUM}{20,32}
    MailerSend password              | mssp.                    | ${ALNUM}{7}\.${ALNUM}{16}\.${ALNUM}{7}
    Modrinth token                   | mrp_ mro_                | ${ALNUM}{56,64}
    Nylas key                        | nyk_v0_                  | ${ALNUM}{60,}
    OpenMeter key                    | om_                      | ${ALNUM}{32}\.${ALNUM}{43}
    Orbit token                      | obu_ obw_                | ${ALNUM}{30,}
    Pagar.me key                     | ak_live_ ak_test_        | ${ALNUM}{24,}
    Plain key                        | plainApiKey_             | [A-Za-z0-9_]{30,}
    Planning Center token            | pco_                     | [a-z]{2,10}_${HEX}{40,}
    Riot key                         | RGAPI-                   | ${UUID}
    Robinhood key                    | rh-api-                  | ${UUID}
    Seam key                         | seam_                    | ${ALNUM}{6,12}_${ALNUM}{24,}
    Shutterstock token               | v2/                      | ${ALNUM}{300,500}
    Sindri key                       | sindri_                  | (?:[a-z]{3,12}_)?${ALNUM}{28,}(?:_${ALNUM}{4})?
    Tally key                        | tly-                     | ${ALNUM}{28,}
    VK token                         | vk1.a.                   | ${WORD}{80,}
    Weglot key                       | wg_                      | ${HEX}{32,34}
    Whop key                         | apik_                    | ${ALNUM}{30,}(?:_[A-Z]_[a-f0-9]{20,})?
    WooCommerce key                  | ck_ cs_                  | ${HEX}{40}
  `,
  ...tokens(AMBIGUOUS_WHOLE)`
    dfuse key              | web_                     | ${HEX}{32}
    Keygen token           | prod- admin- activ- env- user- | ${HEX}{64}v[123]
    LaunchDarkly relay key | rel-                     | ${UUID}
  `,
  ...tokens(GENERATED)`
    Alibaba Cloud session token | STS.          | ${ALNUM}{16,64}
    Dify key                    | app- dataset- | ${ALNUM}{24}
    Composio key                | ak_           | ${WORD}{20}
    key of a bank               | live_ test_   | ${ALNUM}{24,44}
    Geo IPify key               | at_           | ${ALNUM}{29}
    Mollie access token         | access_       | ${ALNUM}{30,60}
    YooKassa key                | live_ test_   | ${WORD}{40,46}
  `,
  token("Fauna secret", "fnA", `${WORD}{37}`, { isAmbiguous: true, isReal: isGenerated }),
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
    isReal: (candidate) => /\d/.test(candidate) && !isFake(candidate),
  }),
  token("Databricks OAuth token", "doau doar doac dsap docl", `${HEX}{32}`, AMBIGUOUS),
  token("Mintlify key", "mint_", `${ALNUM}{24,}`, { wordStart: true, isReal: isGenerated }),
  token("SignalWire token", startsWith("PT", "0123456789abcdef"), `${HEX}{47}`),
  token("Sumsub token", "prd: sbx:", `${ALNUM}{20,28}\\.${ALNUM}{32}`, {
    wordStart: true,
    isReal: isGenerated,
  }),
];
