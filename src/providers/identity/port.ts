import { textFieldIn } from '#domain/keys.ts'
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

/** Secrets of one login; `redirectUri`: URL to which the provider redirects the person. */
export type LoginAttempt = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Identity confirmed by a provider: `subject` is the provider's id of the person, with their e-mail address, verified or not. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly isVerified: boolean
}

/** Adapter of one identity provider. */
export type IdentityAdapter = {
  /** Tests the provider: returns its issuer, and the host on which people log in. */
  test(): Promise<{ issuer: string; asksAt: string }>
  /** Returns the URL on which a person logs in. */
  begin(attempt: LoginAttempt): Promise<string>
  /** Returns the person who came back, by the parameters that the provider added to the URL. */
  finish(attempt: LoginAttempt, returned: Readonly<Record<string, string | undefined>>): Promise<Identity>
}

/** Creates the adapter of a provider from its settings, with secrets in the clear. */
export type MakeIdentityAdapter = (values: ProviderValues, tools: IdentityTools) => IdentityAdapter

/** Failure of a login: no valid response from the provider, or the person was not confirmed. */
export type IdentityFailure = Error & { readonly kind: 'no-provider' | 'refused' }

/** Creates the error of a failed provider request. */
export const identityFailure = (kind: IdentityFailure['kind'], cause: unknown): IdentityFailure =>
  Object.assign(new Error(`identity provider: ${kind}`, { cause }), { kind })

/** Whether something thrown is an `IdentityFailure`. */
export const isIdentityFailure = (error: unknown): error is IdentityFailure =>
  error instanceof Error && ['no-provider', 'refused'].includes(textFieldIn(error, 'kind'))
