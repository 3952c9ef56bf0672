/** Boot data that the server writes into the page: version, passphrase for passwords, the tenant's or installation's colours. */
export type Boot = {
  version: string
  publicKey: string | null
  colors: readonly Record<string, string>[]
  /** Whether the installation takes new companies. */
  isSignupOpen?: boolean
  /** External login provider, if it is switched on: the label of its button. */
  external?: { label: string } | null
}

/** Boot data of the page; neutral values where they are missing or damaged. */
export const boot: Boot = read()

function read(): Boot {
  const neutral: Boot = { version: 'dev', publicKey: null, colors: [] }
  try {
    return { ...neutral, ...JSON.parse(document.getElementById('boot')?.textContent ?? '{}') }
  } catch {
    return neutral
  }
}
