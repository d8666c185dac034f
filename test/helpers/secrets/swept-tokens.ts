/** Lists tokens that a sweep over published lists (vendors A to L) showed to be missing: name and template. */

export const SWEPT_TOKENS = `
Aikido CI|AIK_CI_<A48>
Aikido runtime|AIK_RUNTIME_<D5>_<D5>_<A48>
Airtable OAuth|oaa<A14>.v1.<W120>.<H64>
Alchemy|alcht_<A30>
Apify actor run|apify_actor_run_api_<A36>
AWS session IQoJ|IQoJb3JpZ2luX2VjE<B400>
AWS session Fwo|FwoGZXIvYXdzE<B400>==
Azure ML classic|<B76>+AMC<B5>g==
Azure APIM|<B76>APIM<B5>g==
Azure event grid|<B33>AZEG<B5>E=
Bitbucket server|BBDC-<B44>
Bitrise PAT|bitpat_<A43>
Block Protocol|b10ck5.<H32>.<uuid>
Brave search|BSA<W28>
Buildkite queue|bkcq_<A50>
Buildkite packages|bkpr_<A50>
Canada notify|gcntfy-app-<uuid>-<uuid>
Canva|cnvca<W59>
Cashfree prod|cfsk_ma_prod_<H32>_<H8>
Cfx.re|cfxk_<A20>_<A6>
Checkout uuid|sk_<uuid>
Checkout test|sk_test_<uuid>
Chromatic|chpt_<H15>
CircleCI bot|CCIBOT_<A22>_<H40>
Close|api_<A22>.<A22>
CodeSandbox|csb_v1_<W43>
Cohere new|co_<A40>
Column|live_<A27>
Composio|ak_<W20>
Context7|ctx7sk-<uuid>
Courier|pk_prod_<U28>
Coveo|xx<uuid>
Datadog RCM|DDRCM_<A40>
Datastax|AstraCS:<A24>:<H64>
Daytona|dtn_<H64>
dbt|dbtc_<W40>
dbt user|dbtu_<W40>
Depot|depot_org_<H64>
Dfuse|web_<H32>
Dify app|app-<A24>
DigitalOcean system|dos_v1_<H64>
DNSimple|dnsimple_a_<A32>
Dub|dub_<A24>
DVC studio|isat_<A52>
eBay PRD|PRD-<H12>-<H4>-<H4>-<H4>-<H4>
eBay SBX|SBX-<H12>-<H4>-<H4>-<H4>-<H4>
Fauna|fnAE<W36>
Figma scim|figs_<W40>
Finage|API_KEY<U32>
FireHydrant|fhb-<H32>
Flutterwave enc|FLWSECK_TEST<H12>
GCP service bound|ya29.c.b0<W200>
GCS HMAC|GOOG1E<U55>
GCS HMAC user|GOOG<U20>
Gretel|grtu<H64>
GrowthBook|secret_admin_<A30>
GuardSquare|gs_appsweep_<A32>
hCaptcha|ES_<H32>
HighLevel|pit-<uuid>
Honeybadger|hbp_<A36>
Hop ptk|ptk_c_<H60>
HubSpot personal|CiRuYTEt<B200>
Hugging oauth|hf_oauth_<jwt>
Humanloop|hl_sk_<H48>
Hex|hxtp_<H80>
JetBrains|perm:<A16>.<A20>.<A42>
JetBrains dash|perm-<A16>.<A20>.<A42>
JumpCloud|jca_<A36>
Keygen|prod-<H64>v3
Kong|kpat_<A45>
Kong spat|spat_<A45>
Lambda|secret_main_<H32>.<A32>
LangSmith scim|lsv2_scim_<H32>_<H10>
Lark session|XN0YXJ0-<A8>-<A4>-<A4>-<A4>-<A12>-WVuZA
LaunchDarkly relay|rel-<uuid>
Lichess lio|lio_<A20>
Linear webhook|lin_wh_<A40>
Llama cloud|llx-<A48>
Logfire|pylf_v1_us_<A43>
Lightdash|ldpat_<H32>
Africa's Talking|atsk_<H72>
Amp|sgamp_user_<U26>_<H64>
Alibaba STS|STS.N<A24>
CAST AI|castai_v1_<H64>_<H8>
Cloudsmith|csa_<H30><A6>
ConfigCat|configcat-sdk-1/<W22>/<W22>
Devin|apk_user_<B140>
Devin service|cog_<l52>
Exoscale|EXO<H24>
Freepik|FPSX<H32>
Geo IPify|at_<A29>
Databricks refresh|doau<H32>
Cloudflare tunnel|eyJhIjoi<A171>
Turnstile|0x4AAAAA<W27>
Coze|pat_<A64>
Coze user|czu_<A65>
Asi1|sk_<H64>
Buildkite reg real|bkar_<A8>.<A72>
Buildkite portal real|bkps_<A8>_<H60>
JFrog other|AKCx<A69>
Checkout.com live|sk_<q27>
`;
