// What the compiler does not know: a global of early.js, and features of browsers that are newer than TypeScript 4.8.

/** The answers that early.js has requested, by path. */
declare var early: Map<string, Promise<Response>> | undefined;

/** Trusted Types. Undefined in browsers without them. */
declare var trustedTypes: {
  createPolicy(name: string, rules: {createScriptURL(text: string): string}): {createScriptURL(text: string): string};
} | undefined;

/** A lock that keeps the screen on. */
interface WakeLockSentinel extends EventTarget {
  readonly released: boolean;
}

interface Navigator {
  /** Undefined in older browsers, and in pages without https. */
  readonly wakeLock?: {request(type: 'screen'): Promise<WakeLockSentinel>};
}

// `instant` scrolls without the animation that a style may ask for.
declare function scrollTo(options: {top: number, behavior: 'instant' | 'smooth'}): void;

interface Element {
  scrollIntoView(options: {behavior: 'instant' | 'smooth'}): void;
}

interface IntersectionObserverInit {
  scrollMargin?: string;
}

declare namespace Intl {
  interface NumberFormat {
    /** Formats a decimal number that is given as text. */
    format(value: string): string;
  }
}

// The compiler's own types of service workers exclude the types of documents, so these are the members that worker.js
// uses.

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface ServiceWorkerGlobalScope {
  readonly clients: {claim(): Promise<void>};
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
