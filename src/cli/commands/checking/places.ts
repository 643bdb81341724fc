import { randomUUID } from 'node:crypto';
import type { AlternateRouteOptions } from '../../../checks/index.ts';
import { type CallbackReceiver, openCallbackReceiver } from '../../../gateway/index.ts';
import type { Context } from '../../program/command.ts';
import { text } from '../../program/option.ts';
import { open } from '../../session/connect.ts';
import type { GatewaySettings } from '../../session/settings.ts';
import { listenAddress } from './options.ts';

/** Resources that a run of checks opens and closes. */
export interface Places {
  readonly request: { readonly alternateRoute?: AlternateRouteOptions; readonly receiver?: CallbackReceiver };
  readonly close: () => Promise<void>;
}

async function openAlternateRoute(context: Context, settings: GatewaySettings) {
  const { given } = context;
  const address = text(given, 'source-address');
  const proxy = text(given, 'vantage-proxy');
  if (address === undefined && proxy === undefined) return undefined;
  const gateway = await open(context, {
    ...settings,
    ...(address === undefined ? {} : { sourceAddress: address }),
    ...(proxy === undefined ? {} : { proxy: { http: proxy, https: proxy } }),
  });
  const through = proxy === undefined ? '' : 'through the proxy of --vantage-proxy';
  const description = [address === undefined ? '' : `from ${address}`, through].filter(Boolean).join(' ');
  // Behind a proxy the gateway sees the proxy's address, and that is not known here.
  const seen = proxy === undefined && address !== undefined ? { address } : {};
  return { gateway, options: { inference: gateway.inference, description, ...seen } };
}

async function openReceiver({ given, io }: Context): Promise<CallbackReceiver | undefined> {
  const place = listenAddress({ given }, 'callback-listen');
  if (place === undefined) return undefined;
  // Nobody who does not know the path can notify.
  const path = `/${Math.floor(io.random() * 2 ** 48).toString(36)}${randomUUID()}`;
  const receiver = await openCallbackReceiver({ ...place, path });
  const outside = text(given, 'callback-url');
  if (outside === undefined) return receiver;
  const url = `${outside.replace(/\/+$/, '')}${path}`;
  return { ...receiver, url };
}

/** Opens the other way to the gateway and the receiver of callbacks that the flags name. */
export async function openPlaces(context: Context, settings: GatewaySettings): Promise<Places> {
  const receiver = await openReceiver(context);
  const alternateRoute = await openAlternateRoute(context, settings);
  return {
    request: {
      ...(receiver ? { receiver } : {}),
      ...(alternateRoute ? { alternateRoute: alternateRoute.options } : {}),
    },
    async close() {
      await receiver?.close();
      await alternateRoute?.gateway.close();
    },
  };
}
