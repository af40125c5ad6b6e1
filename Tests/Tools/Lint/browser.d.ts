// What the compiler does not know: a global of early.js, and features of browsers that are newer than TypeScript 4.8.

/** The answers that early.js has requested, by path. */
declare var early: Map<string, Promise<Response>> | undefined;

/** Trusted Types. Undefined in browsers without them. */
declare var trustedTypes: {
  createPolicy(name: string, rules: {createScriptURL(text: string): string}): {createScriptURL(text: string): string};
} | undefined;

/** Scrolls without the animation that a style may ask for. */
declare function scrollTo(options: {top: number, behavior: 'instant'}): void;

interface IntersectionObserverInit {
  scrollMargin?: string;
}

declare namespace Intl {
  interface NumberFormat {
    /** Formats a decimal number that is given as text. */
    format(value: string): string;
  }
}
