import { describe, expect, it } from 'vitest';
import { accountName, BASE_ADDRESS, comparableAddress } from '../../src/domain/index.ts';

describe('the address of a gateway', () => {
  it.each([
    ['http://gateway.example.com', true],
    ['https://gateway.example.com:8443/v/1/', true],
    ['ftp://gateway.example.com', false],
    ['see https://gateway.example.com', false],
    ['https://', false],
    ['https://me:pass@gateway.example.com', false],
    ['https://gateway.example.com?key=1', false],
    ['https://gateway.example.com/#key', false],
    ['https://gateway.example.com/a b', false],
  ])('%s may be written: %s', (text, isValid) => {
    expect(BASE_ADDRESS.test(text)).toBe(isValid);
  });

  it.each([
    ['HTTPS://Gateway.Example.com:443/', 'https://gateway.example.com'],
    ['http://gateway.example.com/a//', 'http://gateway.example.com/a'],
    ['http://gateway.example.com/a/b?c', 'http://gateway.example.com/a/b'],
    ['gateway.example.com', 'gateway.example.com'],
    ['ftp://Gateway.example.com/', 'ftp://Gateway.example.com/'],
    ['xhttp://Gateway.example.com/', 'xhttp://Gateway.example.com/'],
    ['httpx://Gateway.example.com/', 'httpx://Gateway.example.com/'],
  ])('%s is compared as %s', (text, comparable) => {
    expect(comparableAddress(text)).toBe(comparable);
  });

  it.each([
    ['http://localhost:3000', 'http://127.0.0.1:3000 7'],
    ['http://[::1]:3000/', 'http://127.0.0.1:3000 7'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000 7'],
    ['http://localhost.:3000', 'http://127.0.0.1:3000 7'],
    ['https://gateway.example.com./v1/', 'https://gateway.example.com/v1 7'],
    ['https://local.host', 'https://local.host 7'],
  ])('%s names an account as %s', (url, name) => {
    expect(accountName({ url, userId: 7 })).toBe(name);
  });
});
