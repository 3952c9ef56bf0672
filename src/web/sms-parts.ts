import { smsPartsOf, withoutAccents } from '#domain/messages/sms.ts'
import { t } from '#web/t.ts'

/** As how many text messages a text goes, with its accents and without them, in words. */
export function smsPartsText(text: string): string {
  const { parts, left } = smsPartsOf(text)
  const plain = smsPartsOf(withoutAccents(text)).parts
  const counted = t('{parts} SMS · cabem mais {left}', { parts, left })
  return plain < parts ? `${counted} · ${t('sem acentos, {plain} SMS', { plain })}` : counted
}
