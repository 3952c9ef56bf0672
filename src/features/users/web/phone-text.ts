import { formatBrazilian } from '#domain/phone/brazil.ts'

/** A phone as people read it: Brazilian ones with code and hyphen, others as they are. */
export const phoneText = (phone: string): string =>
  formatBrazilian(phone.startsWith('+') ? phone.slice(1) : `55${phone}`) ?? phone
