import { describe, expect, it } from 'vitest';
import type { ProfileName } from '../../../src/domain/index.ts';
import { recognizeKind } from '../../../src/wire/index.ts';
import { type Body, START, startTestGateway } from '../harness.ts';

const STATUS = `HeaderNavModules SidebarModulesAdmin announcements announcements_enabled api_info api_info_enabled chats
  checkin_enabled custom_currency_exchange_rate custom_currency_symbol data_export_default_time default_collapse_sidebar
  default_use_auto_group demo_site_enabled discord_client_id discord_oauth display_in_currency docs_link email_verification
  enable_batch_update enable_data_export enable_drawing enable_task faq faq_enabled footer_html github_client_id github_oauth
  linuxdo_client_id linuxdo_minimum_trust_level linuxdo_oauth logo mj_notify_enabled oidc_authorization_endpoint
  oidc_client_id oidc_enabled passkey_allow_insecure passkey_attachment passkey_display_name passkey_login passkey_origins
  passkey_rp_id passkey_user_verification price privacy_policy_enabled quota_display_type quota_per_unit
  self_use_mode_enabled server_address setup start_time stripe_unit_price system_name telegram_bot_name telegram_oauth
  turnstile_check turnstile_site_key uptime_kuma_enabled usd_exchange_rate user_agreement_enabled version wechat_login
  wechat_qrcode`.split(/\s+/);

const SELF = `aff_code aff_count aff_history_quota aff_quota discord_id display_name email github_id group id inviter_id
  linux_do_id oidc_id permissions quota request_count role setting sidebar_modules status stripe_customer telegram_id
  used_quota username wechat_id`.split(/\s+/);

/** Reads `data` of one path of a gateway. */
async function dataOf(profile: ProfileName, path: string): Promise<Body> {
  const gateway = await startTestGateway({ profile });
  const { data } = await gateway.call('GET', path);
  await gateway.close();
  return data as Body;
}

describe('the status of a gateway', () => {
  it.each([
    ['deployed', [...STATUS, 'top_up_link']],
    [
      'deployed@1.0',
      [
        ...STATUS,
        ...['theme', 'register_enabled', 'password_login_enabled', 'password_register_enabled', 'oidc_display_name'],
      ],
    ],
    ['contract', ['quota_per_unit']],
  ] as const)('has the fields of %s', async (profile, fields) => {
    expect(Object.keys(await dataOf(profile, '/api/status')).sort()).toEqual([...fields].sort());
  });

  it('has the values of a fresh server', async () => {
    const data = await dataOf('deployed', '/api/status');
    expect(data).toMatchObject({
      start_time: START,
      server_address: 'http://localhost:3000',
      passkey_rp_id: 'localhost:3000',
      quota_display_type: 'USD',
      api_info: [],
      usd_exchange_rate: 7.3,
    });
    expect(recognizeKind(data)).toMatchObject({ title: 'new-api v0.13.2', profile: 'deployed' });
  });

  it('keeps the time of its start while its clock moves', async () => {
    const gateway = await startTestGateway({ profile: 'deployed' });
    await gateway.control('POST', '/clock', { advance: 100 });
    expect((await gateway.call('GET', '/api/status')).data).toMatchObject({ start_time: START });
    await gateway.close();
  });
});

describe('the account of a user', () => {
  it.each([
    ['deployed', SELF],
    ['deployed@1.0', SELF],
    ['contract', ['id', 'quota']],
  ] as const)('has the fields of %s', async (profile, fields) => {
    expect(Object.keys(await dataOf(profile, '/api/user/self')).sort()).toEqual([...fields].sort());
  });

  it('has its settings as JSON in a text, and what a user may do', async () => {
    const data = await dataOf('deployed', '/api/user/self');
    expect(JSON.parse(String(data.setting))).toEqual({ gotify_priority: 0, sidebar_modules: data.sidebar_modules });
    expect(data.permissions).toEqual({ sidebar_settings: true, sidebar_modules: { admin: false } });
    expect(data.aff_code).toMatch(/^\w{4}$/);
    expect((await dataOf('deployed@1.0', '/api/user/self')).permissions).toHaveProperty('admin_permissions');
  });
});
