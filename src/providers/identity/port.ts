import type { ProviderValues } from '#kit/provider.ts'

/** Tools of an adapter; `fetch` is restricted to allowed addresses (decision B21). */
export type IdentityTools = {
  readonly fetch: (
    address: string,
    request: { method: string; headers: Readonly<Record<string, string>>; maxBytes: number; body?: string },
  ) => Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly body: Uint8Array
  }>
}

/** Secrets of one login; `redirectUri` is where the provider sends the person back to. */
export type LoginAttempt = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Whom the provider vouches for: `subject` is its own id of the person, whose e-mail it says it has verified or not. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly isVerified: boolean
}

/** One provider of identities. */
export type IdentityAdapter = {
  /** Asks the provider who it is: its own name, and the host at which people enter. */
  test(): Promise<{ issuer: string; asksAt: string }>
  /** Where a person goes to enter. */
  begin(attempt: LoginAttempt): Promise<string>
  /** Who came back, with what the provider gave along in the address. */
  finish(attempt: LoginAttempt, returned: Readonly<Record<string, string | undefined>>): Promise<Identity>
}

/** Makes the adapter of a provider from what was filled in, secrets in the clear. */
export type MakeIdentityAdapter = (values: ProviderValues, tools: IdentityTools) => IdentityAdapter

/** Why a login failed: no valid provider answered, or it did not confirm the person. */
export type IdentityFailure = Error & { readonly kind: 'no-provider' | 'refused' }

/** Makes the error that a question to a provider ends with. */
export const identityFailure = (kind: IdentityFailure['kind'], cause: unknown): IdentityFailure =>
  Object.assign(new Error(`identity provider: ${kind}`, { cause }), { kind })

/** Whether something thrown is an `IdentityFailure`. */
export const isIdentityFailure = (error: unknown): error is IdentityFailure =>
  error instanceof Error && ['no-provider', 'refused'].includes(String((error as { kind?: unknown }).kind))
