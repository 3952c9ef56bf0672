/** Content of a mail in plain text: heading, paragraphs, optionally one link, and a footnote. */
export type MailTemplate = {
  readonly title: string
  readonly lines: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  readonly note?: string
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Renders a mail as text and simple HTML, without images, external resources or tracking. */
export function renderMail({ title, lines, action, note }: MailTemplate): { text: string; html: string } {
  const text = [title, ...lines, ...(action ? [`${action.label}: ${action.url}`] : []), ...(note ? [note] : [])]
  const font = "font-family:Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
  const line = (text: string) => `<p style="margin:0 0 16px;font-size:16px;line-height:24px">${escaped(text)}</p>`
  const button = action
    ? `<p style="margin:28px 0"><a href="${escaped(action.url)}" style="display:inline-block;padding:13px 22px;border-radius:8px;background:#6e2a5c;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escaped(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#5c5462;word-break:break-all">${escaped(action.url)}</p>`
    : ''
  const html = `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="margin:0;background:#f6f3ee;color:#251f29;${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #e9e3db;border-radius:16px">
<tr><td style="padding:32px">
<p style="margin:0 0 28px;font-size:18px;font-weight:700;color:#6e2a5c">Guichê</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px">${escaped(title)}</h1>
${lines.map(line).join('\n')}
${button}
${note ? `<p style="margin:0;font-size:13px;line-height:20px;color:#5c5462">${escaped(note)}</p>` : ''}
</td></tr></table></td></tr></table></body></html>`
  return { text: `${text.join('\n\n')}\n`, html }
}
