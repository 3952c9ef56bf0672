/** Boot data that the server writes into the page: version, passphrase for passwords, the tenant's or installation's colours. */
export type Boot = {
  version: string
  publicKey: string | null
  colors: readonly Record<string, string>[]
  /** Whether the installation takes new companies. */
  isSignupOpen?: boolean
  /** The external provider of logins, if it is switched on: what its button says. */
  external?: { label: string } | null
}

/** The page's boot data; a page without it (or a damaged one) starts with neutral values. */
export const boot: Boot = read()

function read(): Boot {
  const neutral: Boot = { version: 'dev', publicKey: null, colors: [] }
  try {
    return { ...neutral, ...JSON.parse(document.getElementById('boot')?.textContent ?? '{}') }
  } catch {
    return neutral
  }
}
