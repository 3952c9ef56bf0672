import type { TemplateCategory, TemplateContent, TemplateStatus } from '#domain/message-templates/template.ts'
import type { ProviderValues } from '#kit/provider.ts'

/** A message template as somebody writes it. */
export type TemplateForm = TemplateContent & {
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
}

/** A message template as its provider has it; `reason` is why it was rejected, in the provider's own words. */
export type ProviderTemplate = TemplateForm & {
  readonly id: string
  readonly status: TemplateStatus
  readonly quality: 'GREEN' | 'YELLOW' | 'RED' | null
  readonly reason: string
}

/** What a provider tells of a template by itself; what is left out stays. `at`: epoch ms by its clock, of two the later counts. */
export type TemplateNews = Partial<Pick<ProviderTemplate, 'status' | 'quality' | 'category' | 'reason'>> & {
  readonly id: string
  readonly at: number
}

/** How message templates are kept at a provider; all of it fails as a send does. */
export type TemplateDesk = {
  create(form: TemplateForm): Promise<Pick<ProviderTemplate, 'id' | 'status' | 'category'>>
  edit(id: string, form: TemplateForm): Promise<void>
  remove(template: { readonly id: string; readonly name: string }): Promise<void>
  /** Shows the provider a file as the sample of a header; answers how it knows it. */
  sample(file: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array }): Promise<string>
}

/** How a number stands at its provider, in the provider's own words where they are no kind of ours. */
export type ProviderNumber = {
  /** The provider's name of the account that the number is of. */
  readonly business: string
  /** As the provider writes it. */
  readonly shownNumber: string
  /** How contacts see who writes, and whether that name was accepted. */
  readonly name: string
  readonly nameStatus: string
  readonly quality: 'GREEN' | 'YELLOW' | 'RED' | null
  /** How many people may be written to first within a day; null where the provider does not say, 0 where there is none. */
  readonly dailyLimit: number | null
  readonly status: string
  /** Whether it was shown to be theirs by a code. */
  readonly isVerified: boolean
}

/** How a number presents itself to contacts; what is empty is not shown. */
export type NumberProfile = {
  readonly about: string
  readonly description: string
  readonly address: string
  readonly email: string
  readonly websites: readonly string[]
  /** One of the provider's names. */
  readonly vertical: string
}

/** How a number is kept at its provider; all of it fails as a send does. */
export type NumberDesk = {
  state(): Promise<ProviderNumber>
  /** With its picture (JPEG or PNG), where it has one that can be had. */
  profile(): Promise<NumberProfile & { readonly picture: Uint8Array | null }>
  saveProfile(profile: NumberProfile): Promise<void>
  savePicture(file: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array }): Promise<void>
  /** Has a code sent to the number, which `verify` takes. */
  requestCode(by: 'sms' | 'voice'): Promise<void>
  verify(code: string): Promise<void>
  /** Lets messages pass by the number; `pin` (six digits) is chosen with the first time and asked for from then on. */
  register(pin: string): Promise<void>
  /** Has what is told of the account brought to an address of its own; null: to the app's. */
  setCallback(address: string | null): Promise<void>
}

/** An account that somebody's login at a provider, or the key that is set there, opened; `values` connect it, secrets in the clear. */
export type GrantedAccount = {
  readonly account: string
  readonly type: string
  readonly name: string
  /** As people know it, such as a phone number. */
  readonly label: string
  readonly values: ProviderValues
}

type SignupStep = { readonly login: string; readonly back: string }

/** How accounts are connected by a login at the provider, asked of an adapter without values of its own. */
export type SignupDesk = {
  /**
   * The page of a login (a name of `settings.signup`), which sends people to `back` with `state` and a code; null where what is
   * set does not suffice. `challenge` is what PKCE shows of `verifier` (RFC 7636, S256).
   */
  address(of: SignupStep & { readonly state: string; readonly challenge: string }): string | null
  /** What the code opens; fails as a send does. */
  exchange(of: SignupStep & { readonly code: string; readonly verifier: string }): Promise<readonly GrantedAccount[]>
}

/** What a provider tells of numbers by itself: of an account, or of one of its numbers. `at`: epoch ms by its clock. */
export type NumberNews = {
  readonly business: string
  /** The digits of the number, or the provider's name of it; null: every number of the account. */
  readonly number: string | null
  readonly at: number
  /** `changed`: it stands otherwise now; how has to be asked. */
  readonly what: 'changed' | 'restriction' | 'payment'
  /** What is restricted, in the provider's words; empty for what else is told. */
  readonly detail: string
}
