/**
 * What a standing run of checks shows: metrics for Prometheus, and whether the run itself is healthy.
 */
export { type Monitor, type MonitorOptions, openMonitor } from './monitor.ts';
