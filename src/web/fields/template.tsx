import { Button, type TextareaProps } from '@mantine/core'
import { useRef } from 'react'
import { TEMPLATE_VARIABLES, unknownVariables } from '#domain/messages/template.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { t } from '../t.ts'
import { TextArea } from '../ui/inputs/fields.tsx'
import css from './fields.module.css'
import { type InputProps, shownOf, TextCell, type WebKind } from './kind.tsx'

/** A text with variables; `look` is what the text area shows beside what its field says. */
export function TemplateInput(props: InputProps<TemplateField, string> & { look?: TextareaProps }) {
  const { field, value, error, disabled = false, onChange } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const unknown = unknownVariables(value, Object.keys({ ...TEMPLATE_VARIABLES, ...field.variables })).map(
    (name) => `{{${name}}}`,
  )
  const insert = (name: string) => {
    const { selectionStart = value.length, selectionEnd = selectionStart } = area.current ?? {}
    onChange(`${value.slice(0, selectionStart)}{{${name}}}${value.slice(selectionEnd)}`)
    area.current?.focus()
  }
  return (
    <div>
      <TextArea
        {...shownOf(props)}
        {...props.look}
        ref={area}
        error={
          error ??
          (unknown.length > 0 &&
            t('Não existe a variável {names}; o texto sairia como está escrito.', { names: unknown.join(', ') }))
        }
        maxLength={field.max ?? 4000}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <fieldset className={css.variables}>
        <legend className="g-hidden">{t('Inserir uma variável')}</legend>
        {Object.entries(field.variables).map(([name, called]) => (
          <Button key={name} variant="default" size="sm" disabled={disabled} onClick={() => insert(name)}>
            {called}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

/** A text with variables, which a button each writes where the caret stands. */
export const template: WebKind<TemplateField, string> = { Input: TemplateInput, Cell: TextCell }
