// @ts-nocheck: generated from the provider's schema by `npm run generate`. Do not edit.
// generated from provider function schema

import * as cdktn from 'cdktn';

/**
* Provider-defined functions of the keyplane provider.
*/
export class KeyplaneProviderFunctions {
  private readonly providerLocalName: string;

  /**
  * @param providerLocalName The local name of the provider in required_providers; defaults to the registry short name. Override when the provider is declared under a different local name — aliases do not change the namespace, local names do.
  */
  constructor(providerLocalName: string) {
    this.providerLocalName = providerLocalName;
  }

  /**
  * Converts addresses and CIDR ranges to the form that a gateway stores: sorted, without duplicates, with prefix.
  * @param {Array<string>} rules - Addresses and CIDR ranges, IPv4 or IPv6.
  * @returns {Array<string>}
  */
  public parseIpRules(rules: string[]): string[] {
    return cdktn.Token.asList(cdktn.TerraformProviderFunction.invoke(this.providerLocalName, "parse_ip_rules", [rules]));
  }

  /**
  * Converts quota units to dollars, to six decimals.
  * @param {number} quota - Quota units, a whole number.
  * @param {Array<number>} quotaPerUnit - Quota units for one dollar. Default: 500000. `keyplane_account` returns the gateway’s rate.
  * @returns {number}
  */
  public quotaToUsd(quota: number, quotaPerUnit: Array<number>): number {
    return cdktn.Token.asNumber(cdktn.TerraformProviderFunction.invoke(this.providerLocalName, "quota_to_usd", [quota, ...quotaPerUnit]));
  }

  /**
  * Converts an amount of dollars to quota units, rounded to the nearest unit.
  * @param {number} usd - Dollars.
  * @param {Array<number>} quotaPerUnit - Quota units for one dollar. Default: 500000. `keyplane_account` returns the gateway’s rate.
  * @returns {number}
  */
  public usdToQuota(usd: number, quotaPerUnit: Array<number>): number {
    return cdktn.Token.asNumber(cdktn.TerraformProviderFunction.invoke(this.providerLocalName, "usd_to_quota", [usd, ...quotaPerUnit]));
  }
}
