/** The differences between the environments of the platform. */
export interface Environment {
  readonly name: 'staging' | 'prod';
  /** The network of its workloads. */
  readonly network: string;
  /** US dollars per month for each team. */
  readonly monthly: { readonly checkout: number; readonly search: number; readonly support: number };
}

export const ENVIRONMENTS: readonly Environment[] = [
  { name: 'staging', network: '10.30.0.0/16', monthly: { checkout: 20, search: 10, support: 5 } },
  { name: 'prod', network: '10.20.0.0/16', monthly: { checkout: 400, search: 250, support: 100 } },
];
