import { Button, type TextareaProps } from '@mantine/core'
import { useRef } from 'react'
import type { TemplateField } from '#kit/fields/template.ts'
import { t } from '../t.ts'
import { ChevronDownIcon } from '../ui/icons.ts'
import { TextArea } from '../ui/inputs/fields.tsx'
import { CommandMenu } from '../ui/layout/CommandMenu.tsx'
import { useOwnVariables, useUnknownVariables, withVariable } from '../variables.ts'
import css from './fields.module.css'
import { type InputProps, shownOf, TextCell, type WebKind } from './kind.tsx'

/** Text with variables; `look` are further props of the text area. */
export function TemplateInput(props: InputProps<TemplateField, string> & { look?: TextareaProps }) {
  const { field, value, error, disabled = false, onChange } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const unknown = useUnknownVariables(value, Object.keys(field.variables))
  const own = useOwnVariables() ?? []
  const insert = (name: string) => {
    onChange(withVariable(value, area.current, name))
    area.current?.focus()
  }
  return (
    <div>
      <TextArea
        {...shownOf(props)}
        {...props.look}
        ref={area}
        error={error ?? unknown}
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
        {own.length > 0 && !disabled && (
          <CommandMenu
            commands={own.map(({ name, label }) => ({ id: name, label, run: () => insert(name) }))}
            target={
              <Button variant="default" size="sm" rightSection={<ChevronDownIcon size={14} />}>
                {t('Da empresa')}
              </Button>
            }
          />
        )}
      </fieldset>
    </div>
  )
}

/** Text with variables; a button for each inserts it at the caret. */
export const template: WebKind<TemplateField, string> = { Input: TemplateInput, Cell: TextCell }
