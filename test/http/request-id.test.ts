import { expect, it } from 'vitest';
import { requestIdOf } from '../../src/http/request.ts';

const KEY = 'Kq7bX9mR3tL8cN5pJ6hG1dF0sA2uY7eQ';
const request = {
  headers: { authorization: `Bearer sk-${KEY}`, 'new-api-user': '42', 'x-vault-token': 'hvs.CAESIJ_forTests' },
};
const idOf = (id: string, name = 'x-oneapi-request-id') =>
  requestIdOf({ status: 200, headers: { [name]: id } }, request).requestId;

it.each([
  KEY,
  `sk-${KEY}`,
  KEY.toUpperCase(),
  `req-${KEY.toLowerCase()}`,
  KEY.slice(3, 15),
  `sk-${KEY.slice(0, 9)}`,
  'hvs.CAESIJ_forTests',
])('an ID of a request is none if it repeats a credential of it: %s', (id) => {
  expect(idOf(id)).toBeUndefined();
  expect(idOf(id, 'x-request-id')).toBeUndefined();
});

it.each(['req-1', '20261127234027998123456AbCdEfGh', '42', 'Bearer', 'Kq7bX9m'])(
  'another ID of a request stays: %s',
  (id) => {
    expect(idOf(id)).toBe(id);
  },
);
