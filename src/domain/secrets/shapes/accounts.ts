/** Lists keys of accounts: of data and its platforms, of models, of money, and of people. */
import { isMadeUp } from "../made-up.ts";
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { isGenerated, token } from "../token.ts";

const WHOLE = { wordStart: true } as const;
/** For a start that names and words have too. */
const GENERATED = { wordStart: true, isAmbiguous: true, isReal: isGenerated } as const;

export const ACCOUNTS: readonly SecretShape[] = [
  token("AWS session token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", `${BASE64}{100,}={0,2}`),
  token(
    "Azure classic ML or API Management key",
    "+AMC APIM",
    `${BASE64}{76}(?:\\+AMC|APIM)${BASE64}{5}[AQgw]==`,
    { before: 76 },
  ),
  token("Azure Event Grid key", "AZEG", `${BASE64}{33}AZEG${BASE64}{5}[AEIMQUYcgkosw048]=`, { before: 33 }),
  token("Alibaba Cloud session token", "STS.", `${ALNUM}{16,64}`, GENERATED),
  token("Google Cloud Storage key id", "GOOG1E GOOG", "[A-Z0-9]{20,61}"),
  token("Cloudflare tunnel token", "eyJhIjoi", "[A-Za-z0-9+/]{150,}={0,2}", WHOLE),
  token("Cloudflare Turnstile secret", "0x4AAAAA", `${WORD}{27,28}`, WHOLE),
  token("DNSimple token", "dnsimple_a_ dnsimple_u_ dnsimple_o_", `${ALNUM}{32,}`, WHOLE),

  token(
    "Airtable OAuth token",
    ".v1. .v2. .v3.",
    `${ALNUM}{17}\\.v[1-3]\\.[A-Za-z0-9_-]{10,400}\\.(?<own>${HEX}{64})`,
    { before: 17, wordStart: true },
  ),
  token("Flexport token", "shltm_", `${WORD}{40,}`, WHOLE),
  token("Alchemy token", "alcht_", `${ALNUM}{30}`, WHOLE),
  token("Astra token", "AstraCS:", `${ALNUM}{20,}(?::${HEX}{64})?`, WHOLE),
  token("Databricks OAuth token", "doau doar doac dsap docl", `${HEX}{32}`, { isAmbiguous: true }),
  token("dbt token", "dbtc_ dbtu_ dbts_", `${WORD}{36,}`, WHOLE),
  token("dfuse key", "web_", `${HEX}{32}`, { wordStart: true, isAmbiguous: true }),
  token("Gretel key", "grtu", `${HEX}{64}`),
  token("Llama Cloud key", "llx-", `${ALNUM}{40,}`, WHOLE),
  token("Lambda key", "secret_", `[a-z0-9-]{2,40}_${HEX}{32}\\.(?<own>${ALNUM}{32})`, WHOLE),
  token("LangSmith token", "lsv2_", `[a-z]{2,6}_(?<own>${HEX}{32}(?:_${HEX}{10})?)(?!_)`, WHOLE),
  token("Llama API key", "LLM|", `[0-9]{14,18}\\|(?<own>${WORD}{27,40})`, WHOLE),
  token("Brave Search key", "BSA", `${WORD}{24,32}`, { isAmbiguous: true, isReal: isGenerated }),
  token("Dify key", "app- dataset-", `${ALNUM}{24}`, GENERATED),
  token("Cohere key", "co_", `(?=[A-Za-z]{0,39}[0-9])${ALNUM}{40}`, WHOLE),
  token("Composio key", "ak_", `${WORD}{20}`, GENERATED),
  token("Coze token", "pat_ cztei_ czu_", `${ALNUM}{64,65}`, WHOLE),
  token("Freepik key", "FPSX", `${HEX}{32}`),
  token("Humanloop key", "hl_sk_", `${HEX}{40,}`, WHOLE),
  token(
    "Hugging Face OAuth token",
    "hf_oauth_ hf_jwt_",
    "(?:eyJ[A-Za-z0-9_-]+\\.){2}[A-Za-z0-9_-]{20,}",
    WHOLE,
  ),

  token("Africa's Talking key", "atsk_", `${HEX}{72}`, WHOLE),
  token(
    "Aikido secret",
    "AIK_CI_ AIK_SECRET_ AIK_RUNTIME_",
    `(?:[0-9]{1,10}_){0,3}(?<own>${ALNUM}{20,})`,
    WHOLE,
  ),
  token("Apify token of a run", "apify_", `[a-z]{2,12}_(?:[a-z]{2,12}_){1,3}(?<own>${ALNUM}{30,})`, WHOLE),
  token("Canva secret", "cnvca", `${WORD}{40,60}`),
  token("Cashfree secret", "cfsk_ma_prod_ cfsk_ma_test_", `${HEX}{32}_${HEX}{8}`, WHOLE),
  token("Cfx.re key", "cfxk_", "[A-Za-z0-9_-]{20,100}", WHOLE),
  token(
    "Checkout.com key",
    "sk_ sk_test_ sk_sbox_",
    `(?:${UUID}|(?=[a-z]{0,25}[2-7])[a-z2-7]{26}[a-z2-7*#$=]?)`,
    WHOLE,
  ),
  token("Close key", "api_", `${ALNUM}{20,24}\\.${ALNUM}{20,24}`, WHOLE),
  token("key of a bank", "live_ test_", `${ALNUM}{24,44}`, GENERATED),
  token("Courier key", "pk_prod_ pk_test_", "[A-Z0-9]{28}", {
    wordStart: true,
    isReal: (own) => /\d/.test(own) && !isMadeUp(own),
  }),
  token(
    "Coveo key",
    "xx0 xx1 xx2 xx3 xx4 xx5 xx6 xx7 xx8 xx9 xxa xxb xxc xxd xxe xxf",
    "[0-9a-f]{7}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
  ),
  token("Dub key", "dub_", `${ALNUM}{24}`, WHOLE),
  token("DigitalOcean system token", "dos_v1_", `${HEX}{64}`, WHOLE),
  token("eBay secret", "PRD- SBX-", `${HEX}{8,12}-(?:${HEX}{4}-){3}${HEX}{4,12}`, WHOLE),
  token("Finage key", "API_KEY", "(?=[A-Z]{0,20}[0-9])[0-9A-Z]{32}", WHOLE),
  token("Fleetbase key", "flb_live_ flb_test_", `${ALNUM}{20,}`, WHOLE),
  token("Flutterwave encryption key", "FLWSECK_TEST", `${HEX}{12}`),
  token("GC Notify key", "gcntfy-", `[A-Za-z0-9_]{1,80}-${UUID}-${UUID}`, WHOLE),
  token("Geo IPify key", "at_", `${ALNUM}{29}`, GENERATED),
  token("GrowthBook key", "secret_admin_ secret_readonly_ secret_user_", `${WORD}{20,}`, WHOLE),
  token("hCaptcha secret", "ES_", `${HEX}{32}`, WHOLE),
  token("HighLevel token", "pit-", UUID, WHOLE),
  token("HubSpot personal key", "CiRuYTEt CiRuYTIt CiRldTEt CiRhcDEt", `${BASE64}{60,}={0,2}`),
  token("Lark session", "XN0YXJ0-", `${WORD}{20,120}-WVuZA`, WHOLE),
  token("Lichess OAuth token", "lio_", `${ALNUM}{20,32}`, WHOLE),
];
