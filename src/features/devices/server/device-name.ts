// The first match counts: user agents contain other browsers' names (Edge and Opera name Chrome, Chrome names Safari).
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Version\/\d.{0,200}Safari\//, 'Safari'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone/, 'no iPhone'],
  [/iPad/, 'no iPad'],
  [/Android/, 'no Android'],
  [/Windows/, 'no Windows'],
  [/Macintosh|Mac OS X/, 'no Mac'],
  [/CrOS/, 'no Chromebook'],
  [/Linux|X11/, 'no Linux'],
]

const first = (list: typeof browsers, text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** Returns a device's display name from the user agent, “Chrome no Windows”; programs by their own name. */
export function deviceName(userAgent: string): string {
  const browser = first(browsers, userAgent)
  const system = first(systems, userAgent)
  if (browser) return system ? `${browser} ${system}` : browser
  if (system) return `Navegador ${system}`
  const program = /^[\w.+ -]{1,40}(?=\/)/.exec(userAgent)?.[0]
  return program ? `Programa ${program}` : 'Dispositivo desconhecido'
}
