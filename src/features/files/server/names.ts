/** Encodes a file name for headers (RFC 8187), including the characters that encodeURIComponent leaves. */
export const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns the Content-Disposition header of a download with this file name. */
export const attachmentName = (name: string): string => `attachment; filename*=UTF-8''${encoded(name)}`
