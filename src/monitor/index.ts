/**
 * The metrics of a long-running check run for Prometheus, and its health.
 */
export { type Monitor, type MonitorOptions, openMonitor } from './monitor.ts';
