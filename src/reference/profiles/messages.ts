/** The refusals of the System API. Each profile words them, and no client may branch on their text. */
export interface Messages {
  readonly missingToken: string;
  readonly invalidToken: string;
  readonly userBanned: string;
  readonly missingUserId: string;
  readonly malformedUserId: string;
  readonly foreignUserId: string;
  readonly unknownPath: string;
  readonly unreadableBody: string;
  readonly bodyTooLarge: string;
  readonly defect: string;
  readonly invalidParameter: string;
  readonly notFound: string;
  readonly nameMissing: string;
  readonly nameTooLong: string;
  readonly quotaNegative: string;
  readonly quotaTooLarge: string;
  readonly invalidExpiry: string;
  readonly unknownGroup: string;
  readonly invalidAddress: string;
  readonly invalidTiers: string;
  readonly expiredCannotEnable: string;
  readonly exhaustedCannotEnable: string;
  readonly tooManyIds: string;
  readonly tooManyKeys: string;
}

export const ENGLISH: Messages = {
  missingToken: 'no access token was given',
  invalidToken: 'the access token is invalid',
  userBanned: 'the user is banned',
  missingUserId: 'the header New-Api-User is missing',
  malformedUserId: 'the header New-Api-User is not a number',
  foreignUserId: 'the user ID does not belong to the access token',
  unknownPath: 'there is no such endpoint',
  unreadableBody: 'the body cannot be read as JSON of the right shape',
  bodyTooLarge: 'the body is too large',
  defect: 'internal error',
  invalidParameter: 'invalid parameter',
  notFound: 'the key does not exist',
  nameMissing: 'the name is missing',
  nameTooLong: 'the name is too long',
  quotaNegative: 'the quota cannot be negative',
  quotaTooLarge: 'the quota is too large',
  invalidExpiry: 'the expiry is neither -1 nor a time',
  unknownGroup: 'the group is not available to the account',
  invalidAddress: 'allow_ips has a line that is neither an address nor a CIDR range',
  invalidTiers: 'smart_route_tiers is not JSON',
  expiredCannotEnable: 'the key has expired and cannot be enabled until its expiry is corrected',
  exhaustedCannotEnable: 'the quota of the key is exhausted: it cannot be enabled until its quota is corrected',
  tooManyIds: 'too many ids',
  tooManyKeys: 'the account has reached its maximum number of keys',
};

export const CHINESE: Messages = {
  missingToken: '无权进行此操作，未登录且未提供 access token',
  invalidToken: '无权进行此操作，access token 无效',
  userBanned: '用户已被封禁',
  missingUserId: '无权进行此操作，未提供 New-Api-User',
  malformedUserId: '无权进行此操作，New-Api-User 格式错误',
  foreignUserId: '无权进行此操作，New-Api-User 与登录用户不匹配',
  unknownPath: '无效的请求路径',
  unreadableBody: '无效的参数',
  bodyTooLarge: '请求体过大',
  defect: '内部错误',
  invalidParameter: '无效的参数',
  notFound: 'record not found',
  nameMissing: '令牌名称不能为空',
  nameTooLong: '令牌名称过长',
  quotaNegative: '额度值不能为负数',
  quotaTooLarge: '额度值超出有效范围',
  invalidExpiry: '过期时间无效',
  unknownGroup: '无权使用该分组',
  invalidAddress: 'IP 地址格式错误',
  invalidTiers: '路由配置格式错误',
  expiredCannotEnable: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
  exhaustedCannotEnable: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
  tooManyIds: '一次最多查询 100 个令牌',
  tooManyKeys: '已达到最大令牌数量限制',
};
