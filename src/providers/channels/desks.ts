import type { TemplateCategory, TemplateContent, TemplateStatus } from '#domain/message-templates/template.ts'
import type { ProviderValues } from '#kit/provider.ts'

/** Input of a message template. */
export type TemplateForm = TemplateContent & {
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
}

/** Message template at its provider; `reason`: why it was rejected, in the provider's words. */
export type ProviderTemplate = TemplateForm & {
  readonly id: string
  readonly status: TemplateStatus
  readonly quality: 'GREEN' | 'YELLOW' | 'RED' | null
  readonly reason: string
}

/** News of a template from the provider; absent fields are unchanged. `at`: epoch ms by the provider's clock; the latest wins. */
export type TemplateNews = Partial<Pick<ProviderTemplate, 'status' | 'quality' | 'category' | 'reason'>> & {
  readonly id: string
  readonly at: number
}

/** Port to the message templates at a provider; every call fails with a `SendFailure`. */
export type TemplateDesk = {
  create(form: TemplateForm): Promise<Pick<ProviderTemplate, 'id' | 'status' | 'category'>>
  edit(id: string, form: TemplateForm): Promise<void>
  remove(template: { readonly id: string; readonly name: string }): Promise<void>
  /** Uploads a sample file of a header; returns its handle at the provider. */
  sample(file: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array }): Promise<string>
}

/** State of a number at its provider, in the provider's words where they have no equivalent here. */
export type ProviderNumber = {
  /** Id of the number's account at the provider. */
  readonly business: string
  /** Number as the provider formats it. */
  readonly shownNumber: string
  /** Display name for contacts, and its approval status. */
  readonly name: string
  readonly nameStatus: string
  readonly quality: 'GREEN' | 'YELLOW' | 'RED' | null
  /** Maximum number of people to whom conversations can be started per day; null: unknown, 0: none. */
  readonly dailyLimit: number | null
  readonly status: string
  /** Whether ownership of the number was verified by a code. */
  readonly isVerified: boolean
}

/** Profile of a number for contacts; empty fields are not shown. */
export type NumberProfile = {
  readonly about: string
  readonly description: string
  readonly address: string
  readonly email: string
  readonly websites: readonly string[]
  /** Line of business, one of the provider's names. */
  readonly vertical: string
}

/** Port to a number at its provider; every call fails with a `SendFailure`. */
export type NumberDesk = {
  state(): Promise<ProviderNumber>
  /** Returns the profile with its picture (JPEG or PNG), if available. */
  profile(): Promise<NumberProfile & { readonly picture: Uint8Array | null }>
  saveProfile(profile: NumberProfile): Promise<void>
  savePicture(file: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array }): Promise<void>
  /** Requests a code to be sent to the number, for `verify`. */
  requestCode(by: 'sms' | 'voice'): Promise<void>
  verify(code: string): Promise<void>
  /** Registers the number for messages; `pin` (six digits) is set the first time and required afterwards. */
  register(pin: string): Promise<void>
  /** Sets the webhook URL of the account; null: the app's URL. */
  setCallback(address: string | null): Promise<void>
}

/** Account opened by a login at a provider, or by the key in its settings; `values` connect it, secrets in the clear. */
export type GrantedAccount = {
  readonly account: string
  readonly type: string
  readonly name: string
  /** Label for people, such as a phone number. */
  readonly label: string
  readonly values: ProviderValues
}

type SignupStep = { readonly login: string; readonly back: string }

/** Port to the provider login that connects accounts; called on an adapter without values. */
export type SignupDesk = {
  /**
   * Returns the URL of a login (key of `settings.signup`), which redirects to `back` with `state` and a code; null if the
   * settings are incomplete. `challenge`: PKCE challenge of `verifier` (RFC 7636, S256).
   */
  address(of: SignupStep & { readonly state: string; readonly challenge: string }): string | null
  /** Exchanges a code for the accounts that it gives access to; fails with a `SendFailure`. */
  exchange(of: SignupStep & { readonly code: string; readonly verifier: string }): Promise<readonly GrantedAccount[]>
}

/** News of an account or of one of its numbers from the provider. `at`: epoch ms by the provider's clock. */
export type NumberNews = {
  readonly business: string
  /** Digits or provider id of the number; null: every number of the account. */
  readonly number: string | null
  readonly at: number
  /** Kind of news; `changed`: the new state has to be queried. */
  readonly what: 'changed' | 'restriction' | 'payment'
  /** Restriction in the provider's words; empty for other news. */
  readonly detail: string
}
