/** Returns a name as headers hold it (RFC 8187), with what encodeURIComponent leaves. */
export const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns the Content-Disposition of a download under this name. */
export const attachmentName = (name: string): string => `attachment; filename*=UTF-8''${encoded(name)}`
