import type { MountedService } from './grpc.ts';

type AnyHandlers = MountedService['handlers'];

/** Handlers that are loaded at the first call of any of them. */
export function lateHandlers(methods: MountedService['methods'], load: () => Promise<AnyHandlers>): AnyHandlers {
  let loaded: AnyHandlers | undefined;
  const handle = (name: string): AnyHandlers[string] => {
    return (request, context) => {
      if (loaded) return loaded[name]?.(request, context);
      return load().then((handlers) => {
        loaded = handlers;
        return handlers[name]?.(request, context);
      });
    };
  };
  return Object.fromEntries(Object.keys(methods).map((name) => [name, handle(name)]));
}
