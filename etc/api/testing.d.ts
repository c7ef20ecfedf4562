// The public types of binnacle/testing. Written by scripts/release/api-report.mjs.
import { ServerOptions, BinnacleServer } from './index.js';
export type { TestHooks }
export type { UseServerOptions }
export { ControllableClock }
export { FakeClock }
export { NamedObject } from './index.js'
export { UntilCondition } from './index.js'
export { UntilOptions } from './index.js'
export { until } from './index.js'
export { useServer }
interface Clock {
    now(): number;
    setTimeout(callback: () => void, milliseconds: number): Timer;
    watchWork?(isBusy: () => boolean): () => void;
    readonly walksUntil?: number | undefined;
}
declare class ControllableClock implements Clock {
    #private;
    constructor(base?: Clock);
    get isFrozen(): boolean;
    get walksUntil(): number | undefined;
    now(): number;
    setTimeout(callback: () => void, milliseconds: number): Timer;
    watchWork(isBusy: () => boolean): () => void;
    freeze(at?: number): void;
    release(): void;
    advance(milliseconds: number): void;
    pass(milliseconds: number, signal?: AbortSignal): Promise<void>;
    copy(): ControllableClock;
}
declare class FakeClock extends ControllableClock {
    constructor(now?: number);
}
type Hook = (work: (context?: unknown) => Promise<void>) => unknown;
interface TestHooks {
    readonly beforeAll?: Hook | undefined;
    readonly afterAll?: Hook | undefined;
    readonly before?: Hook | undefined;
    readonly after?: Hook | undefined;
    readonly beforeEach: Hook;
    readonly afterEach: Hook;
}
interface Timer {
    cancel(): void;
}
interface UseServerOptions extends ServerOptions {
    readonly setup?: ((server: BinnacleServer) => unknown) | undefined;
    readonly isolate?: 'fork' | 'restore' | 'none' | undefined;
}
declare function useServer(options?: UseServerOptions, hooks?: TestHooks): BinnacleServer;
