import { formatBrazilian } from '#domain/phone/brazil.ts'

/** Formats a phone: Brazilian numbers with area code and hyphen, others unchanged. */
export const phoneText = (phone: string): string =>
  formatBrazilian(phone.startsWith('+') ? phone.slice(1) : `55${phone}`) ?? phone
