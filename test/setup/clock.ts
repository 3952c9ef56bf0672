/** Milliseconds by which the clocks of this test run are moved; 0 in an ordinary run (`npm test -- --clock=…`). */
export const clockShiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS'] ?? 0)

// Loaded before everything else of a process (`--import`), so that no module has taken the real clock.
const isMoved = '__moved' in globalThis.Date
if (clockShiftMs !== 0 && !isMoved) {
  const Real = globalThis.Date
  globalThis.Date = new Proxy(Real, {
    construct: (_, given: [], as) => Reflect.construct(Real, given.length === 0 ? [now()] : given, as),
    apply: () => new Real(now()).toString(),
    get: (_, name) => (name === 'now' ? now : name === '__moved' ? true : Reflect.get(Real, name)),
    has: (_, name) => name === '__moved' || Reflect.has(Real, name),
  })
  function now(): number {
    return Real.now() + clockShiftMs
  }
}
