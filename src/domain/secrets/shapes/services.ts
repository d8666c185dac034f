/** Lists keys and tokens of payment, mail, shops and other services. */
import { isFake } from "../fake-values.ts";
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import {
  AMBIGUOUS,
  AMBIGUOUS_WHOLE,
  GENERATED,
  isGenerated,
  LETTERS,
  startsWith,
  token,
  tokens,
  WHOLE,
} from "../token.ts";

const DIGITS = "0123456789";
const HEX_DIGITS = "0123456789abcdefABCDEF";

export const SERVICES: readonly SecretShape[] = [
  // Their forms overlap, also with that of Chargebee: the order decides on the name.
  token("GoCardless token", "live_ sandbox_", "(?=[A-Za-z_-]{0,39}[0-9])[A-Za-z0-9_-]{40}", AMBIGUOUS_WHOLE),
  token("Mollie key", "live_ test_", `${ALNUM}{30}`, {
    wordStart: true,
    isAmbiguous: true,
    isReal: (candidate) => !isFake(candidate) && (/\d/.test(candidate) || isGenerated(candidate)),
  }),
  token("Lob key", "live_ test_", `${HEX}{35}`, WHOLE),
  ...tokens()`
    Stripe key                | sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_ | [A-Za-z0-9_]{16,}
    webhook secret            | whsec_                   | [A-Za-z0-9+/]{24,}={0,2}
    Square OAuth token        | sq0atp- sq0csp- sq0csb- sq0idb- sq0acp- | ${WORD}{20,}
    PayPal or Braintree token | access_token$            | (?:production|sandbox)\$[a-z0-9]{13,}\$[a-f0-9]{32}
    Razorpay key              | rzp_live_ rzp_test_      | ${ALNUM}{14}
    Flutterwave key           | FLWSECK- FLWSECK_TEST-   | [A-Za-z0-9-]{12,45}
    Plaid token               | access-sandbox- access-development- access-production- | ${UUID}
    EasyPost key              | EZAK EZTK                | ${ALNUM}{54}
    Shippo key                | shippo_live_ shippo_test_ | [a-fA-F0-9]{40}
    Duffel token              | duffel_live_ duffel_test_ | [A-Za-z0-9_=-]{40,}
    Paddle key                | pdl_live_apikey_ pdl_sdbx_apikey_ pdl_ntfset_ | [A-Za-z0-9_/+]{40,}
    Xendit key                | xnd_production_ xnd_development_ | ${ALNUM}{40,}
    Midtrans key              | Mid-server- SB-Mid-server- | ${WORD}{20,}
    Asaas key                 | $aact_                   | [A-Za-z0-9_:=+/-]{40,}
    Onfido token              | api_live. api_sandbox. api_live_us. api_live_ca. api_sandbox_us. api_sandbox_ca. | ${WORD}{8,}\.${WORD}{30,}
    Checkout key              | sk_sbox_                 | ${ALNUM}{20,}
    Adyen key                 | AQE                      | (?:[a-z]h[a-z])[A-Za-z0-9+/=_:!@#^&*.-]{80,}
    Brevo key                 | xkeysib- xsmtpsib-       | ${HEX}{64}-${ALNUM}{16}
    Shopify partner token     | prtapi_                  | ${HEX}{32}
    Endor Labs key            | endr+                    | [A-Za-z0-9_-]{16}
    DocuSign token            | eyJ0eXAiOiJNVCIs         | [A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{40,}
    Upstash QStash token      | eyJVc2VySUQiOi           | [A-Za-z0-9+/_-]{40,}={0,2}
    Intercom token            | dG9rO                    | ${BASE64}{50,60}={0,2}
    OneSignal key             | os_v2_app_ os_v2_org_    | [a-z0-9]{80,}
    Instagram token           | IGQV IGAA                | [A-Za-z0-9_-]{80,}
    WakaTime key              | waka_                    | ${UUID}
    Intra42 secret            | s-s4t2ud- s-s4t2af-      | ${HEX}{64}
    SettleMint token          | sm_aat_ sm_pat_ sm_sat_  | ${ALNUM}{16,}
    Roblox session            | _|WARNING:-DO-NOT-SHARE-THIS. | [^|]{0,200}\|_[A-F0-9]{100,}
    Apify token               | apify_api_ apify_ui_ apify_proxy_ | ${ALNUM}{30,}
    Samsara token             | samsara_api_             | ${ALNUM}{28,}
    Inngest key               | signkey-prod- signkey-test- signkey-branch- | ${HEX}{32,}
    Liveblocks or Clerk key   | sk_dev_                  | ${WORD}{24,}
    Salesforce token          | 00D                      | ${ALNUM}{12,15}!(?<own>[A-Za-z0-9._-]{80,})
    DevCycle key              | dvc_server_ dvc_mobile_ dvc_client_ | ${WORD}{30,}
    Telnyx key                | KEY0 KEY1 KEY2 KEY3 KEY4 KEY5 KEY6 KEY7 KEY8 KEY9 KEYA KEYB KEYC KEYD KEYE KEYF | [0-9A-F]{31}_[A-Za-z0-9]{22}
    Mercury token             | secret-token:mercury_    | [A-Za-z0-9_-]{30,}
    Polar token               | polar_                   | (?!ci_)[a-z]{2,4}_(?:[a-z]_)?${ALNUM}{28,}
  `,
  ...tokens(WHOLE)`
    Shopify app automation token | atkn_                    | ${ALNUM}{30,}
    Mercado Pago token           | APP_USR- TEST-           | [0-9]{10,20}-[0-9]{6}-[a-f0-9]{32}-[0-9]{5,12}
    Omise key                    | skey_live_ skey_test_ skey_ | ${ALNUM}{19}
    SendGrid key                 | SG.                      | (?:${WORD}{16,32}\.${WORD}{32,64}|[A-Za-z0-9=_.-]{66})
    MailerSend key               | mlsn.                    | ${HEX}{64}
    PubNub secret key            | sec-c-                   | [A-Za-z0-9_-]{40,60}
    Val Town token               | vtlt_                    | ${ALNUM}{20,60}
    Workato token                | wrkus- wrkeu- wrkaus- wrkjp- wrksg- wrkil- wrkdev- | [A-Za-z0-9_.-]{40,}
    Zoho token                   | 1000.                    | ${HEX}{32}\.${HEX}{32}
    Convex deploy key            | prod: dev: preview:      | [a-z0-9:-]{4,60}\|[A-Za-z0-9+/=]{40,}
    ClickUp token                | pk_                      | [0-9]{5,10}_[A-Z0-9]{32}
    Klaviyo key                  | pk_                      | (?:${HEX}{34}|${ALNUM}{6}_${HEX}{34})
    HubSpot token                | pat-na1- pat-na2- pat-eu1- pat-ap1- | ${UUID}
    Open VSX token               | ovsxat_ ovsxp_           | ${UUID}
    StackHawk key                | hawk.                    | ${ALNUM}{20}\.${ALNUM}{20}
    FullStory key                | na1. eu1.                | ${BASE64}{60,}={0,2}
    LinkedIn secret              | WPL_AP0. WPL_AP1.        | [A-Za-z0-9_.-]{16,}={0,2}
    Adobe secret                 | p8e-                     | [A-Za-z0-9_-]{32}
    Adafruit key                 | aio_                     | ${ALNUM}{28}
    Mapbox secret token          | sk.eyJ tk.eyJ            | [A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}
    Infracost key                | ico-                     | ${ALNUM}{32}
    Zuplo key                    | zpka_                    | [A-Za-z0-9_]{30,}
    Cal.com key                  | cal_live_                | ${ALNUM}{30,}
    Trigger.dev key              | tr_dev_ tr_prod_ tr_stg_ tr_pat_ | ${ALNUM}{20,}
    Persona or Svix key          | persona_production_ persona_sandbox_ testsk_ sk_svix_ | [A-Za-z0-9_.-]{20,}
    Thunderstore or Tebex token  | tss_                     | ${ALNUM}{28,}
    Voiceflow key                | VF.                      | (?:(?:DM|WS)\.)?${HEX}{24}\.${ALNUM}{16}
    Nightfall key                | NF-                      | ${ALNUM}{32}
    Chief Tools token            | ctp_                     | ${ALNUM}{40,}
    Lichess token                | lip_                     | ${ALNUM}{20,24}
    Pinterest token              | pina_ pinr_              | [A-Z0-9_-]{60,}
    Val Town token               | vtwn_                    | ${ALNUM}{24,}
    Unkey key                    | unkey_                   | ${ALNUM}{20,}
    Meta Oculus token            | OC|                      | [0-9]{12,18}\|[A-Za-z0-9_-]{24,}
    Ionic token                  | ion_                     | [A-Za-z0-9]{42,}
    Wix or Tines key             | IST.eyJ                  | [A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]{20,})?
  `,
  ...tokens(AMBIGUOUS)`
    Square token   | EAAA                 | (?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{22,62}
    Facebook token | EAA                  | ${ALNUM}{90,}
    X bearer token | AAAAAAAAAAAAAAAAAAAA | A{0,4}[A-Za-z0-9%]{60,120}
  `,
  ...tokens(AMBIGUOUS_WHOLE)`
    Finicity or Chargebee key            | live_cb test_cb   | ${ALNUM}{20,}
    Mailgun key                          | key-              | ${HEX}{32}
    Mandrill key                         | md-               | ${WORD}{22}
    Databento key                        | db-               | ${ALNUM}{29}
    Resend key                           | re_               | ${ALNUM}{8}_${ALNUM}{24}
    Apollo GraphOS key                   | service: user:gh. | [A-Za-z0-9_-]{2,64}:[A-Za-z0-9_-]{22}
    Dropbox token                        | sl.               | (?:u\.)?[A-Za-z0-9_-]{100,}
    ElevenLabs, Pagar.me or Clearbit key | sk_               | (?:${HEX}{64}|${HEX}{48}|${HEX}{32})
    RevenueCat or Freemius key           | sk_               | (?=[A-Za-z]{0,28}[^A-Za-z\s])[A-Za-z0-9^&*!@#%()=+?;:.,{}~|/-]{29,32}
  `,
  token("Shopify token", "shp", "[a-z]{2,3}_[a-fA-F0-9]{32,64}", { wordStart: false }),
  token("Mailchimp key", "-us1 -us2 -us3 -us4 -us5 -us6 -us7 -us8 -us9", "[a-f0-9]{32}-us[0-9]{1,2}", {
    before: 32,
  }),
  token("Twilio key", startsWith("SK", HEX_DIGITS), `[0-9a-fA-F]{31}`, {
    isAmbiguous: true,
    isReal: (candidate) => /\d/.test(candidate) && /[a-f]/i.test(candidate) && !isFake(candidate),
  }),
  token(
    "Facebook app token",
    [...DIGITS].map((digit) => startsWith(`${digit}|`, `${LETTERS}_-`)).join(" "),
    `(?<=(?<![0-9])[0-9]{15,16}\\|.)(?<own>${WORD}{26,39})`,
    { wordStart: false, isReal: isGenerated },
  ),
  token("Dropbox older token", "AAAAAAAAAA", `${ALNUM}{11}AAAAAAAAAA${WORD}{43}`, {
    before: 11,
    wordStart: true,
    isAmbiguous: true,
  }),
  token(
    "Authress key",
    "sc_ ext_ scauth_ authress_",
    "[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}",
    { anyCase: true, wordStart: true },
  ),
  token("RapidAPI key", "msh", "[a-z0-9]{10}msh[a-z0-9]{15}p1[a-z0-9]{6}jsn[a-z0-9]{12}", { before: 10 }),
  token("Flagsmith server key", "ser.", `${ALNUM}{22}`, GENERATED),
];
