import { buttonTexts, type TemplateContent, templateText, variablesOf } from '#domain/message-templates/template.ts'
import { RichText } from '#features/messages/web/parts/rich-text.tsx'
import { t } from '#web/t.ts'
import { FileIcon, PhotoIcon, VideoIcon } from '#web/ui/icons.ts'
import css from './send-template.module.css'

const ICONS = { image: PhotoIcon, video: VideoIcon, document: FileIcon } as const

/** Preview of a template; missing values are shown by their names. */
export function TemplatePreview(props: { template: TemplateContent; values: Readonly<Record<string, string>> }) {
  const { template, values } = props
  const { header } = template
  const Icon = header && header.kind !== 'text' ? ICONS[header.kind] : null
  const named = Object.fromEntries(
    variablesOf(template).map(({ key, name }) => [key, values[key] || (key === 'header' ? '…' : `{{${name}}}`)]),
  )
  return (
    <div className={css.preview} aria-label={t('Como será lido')} role="group">
      <div className={css.bubble}>
        {Icon && (
          <div className={css.media}>
            <Icon size={28} />
          </div>
        )}
        <p>
          <RichText text={templateText(template, named)} />
        </p>
      </div>
      {buttonTexts(template).map((text, index) => (
        <span key={`${index} ${text}`}>{text || '…'}</span>
      ))}
    </div>
  )
}
