/** How a connection to a mail server is protected: from the start, by STARTTLS before anything else, or not at all. */
export type MailSecurity = 'tls' | 'starttls' | 'none'

/** A mail server, as mails leave through it; without `user` nobody logs in. */
export type MailServer = {
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  readonly user: string
  readonly password: string
}

/** One mail to one person; `id` becomes its Message-ID, so that a repeat is the same mail. */
export type Mail = {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Why a mail did not leave. Texts of the server stay out of it: they quote addresses. */
export type MailProblem =
  | 'address'
  | 'host'
  | 'refused'
  | 'timeout'
  | 'certificate'
  | 'protection'
  | 'unprotected'
  | 'login'
  | 'sender'
  | 'recipient'
  | 'other'

/** What became of an attempt; `status` is the server's answer in digits, where there was one. */
export type MailOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly problem: MailProblem; readonly status: number | null }
