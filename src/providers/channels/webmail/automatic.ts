/** Headers of a mail by lower-case name; the first of each name. */
type MailHeaders = ReadonlyMap<string, string>

const PRECEDENCE = /^\s*(bulk|list|junk|auto_reply)\b/i
const MACHINES =
  /^(mailer-daemon|postmaster|majordomo|listserv|no-?reply|nao-?respond[ae]r?|n[aã]o-?responda|do-?not-?reply)([+._-].*)?@/i
const SUBJECTS =
  /^\s*(auto(matic)?[- ]?(reply|response)|out of (the )?office|resposta autom[aá]tica|respuesta autom[aá]tica|fora do escrit[oó]rio|aus[eê]ncia tempor[aá]ria|automatische antwort)\b/i
/** Headers that only mailing lists write. */
const OF_LISTS = ['list-id', 'list-post', 'list-unsubscribe', 'mailing-list', 'x-mailing-list', 'feedback-id']

/**
 * Whether a mail was written by a machine or came through a list, so that automatic answers could go on for ever (RFC 3834
 * and common practice): `from` is its author, `own` are our addresses, all in lower case.
 */
export function isAutomatic(
  headers: MailHeaders,
  { from, subject, own }: { from: string; subject: string; own: readonly string[] },
): boolean {
  const submitted = (headers.get('auto-submitted') ?? 'no').trim().toLowerCase()
  if (submitted !== 'no' && submitted !== '') return true
  if (PRECEDENCE.test(headers.get('precedence') ?? '')) return true
  if (OF_LISTS.some((name) => headers.has(name))) return true
  if (['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-loop'].some((name) => headers.has(name))) return true
  if (/\b(all|oof|autoreply)\b/i.test(headers.get('x-auto-response-suppress') ?? '')) return true
  if (/^\s*<\s*>\s*$/.test(headers.get('return-path') ?? '')) return true
  if (/^\s*multipart\/report\b/i.test(headers.get('content-type') ?? '')) return true
  return MACHINES.test(from) || own.includes(from) || SUBJECTS.test(subject)
}

/** Addresses of a site's own programs, besides no-reply addresses. */
const SITES =
  /^(wordpress|www(-data)?|apache|nginx|nobody|cpanel|root|web(site|master|server|form)?|site|form(s|ulario)?|contact-?form|mailer)([+._-].*)?@/i

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/**
 * Whether a mail by a program contains a form that a person filled in, to be answered at `answer`: the author is of our
 * domain or a program's address, and `answer` of another domain. False for mailing lists.
 */
export function isForm(
  headers: MailHeaders,
  { author, answer, own }: { author: string; answer: string; own: readonly string[] },
): boolean {
  if (own.includes(author)) return true
  if (OF_LISTS.some((name) => headers.has(name)) || PRECEDENCE.test(headers.get('precedence') ?? '')) return false
  if (domainOf(author) === domainOf(answer)) return false
  return own.some((one) => domainOf(one) === domainOf(author)) || MACHINES.test(author) || SITES.test(author)
}
