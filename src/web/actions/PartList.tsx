import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { AddIcon } from '../ui/icons.ts'
import { CommandMenu } from '../ui/layout/CommandMenu.tsx'
import type { Command } from '../ui/layout/command.ts'
import css from './actions.module.css'

/**
 * List of a form's parts (conditions, actions) under its own heading, with the button that adds one. `error` is the problem
 * of the list itself, shown where no part shows one.
 */
export function PartList(props: {
  name: string
  heading: string
  /** Content between heading and list. */
  header?: ReactNode
  /** The list items. */
  children: ReactNode
  error: string | undefined
  partErrors: readonly (string | undefined)[]
  add: string
  kinds: readonly Command[]
}) {
  const isOfAPart = props.partErrors.some((one) => one !== undefined)
  return (
    <section className={css.parts} aria-label={props.name}>
      <p className={css.heading}>{props.heading}</p>
      {props.header}
      <ol>{props.children}</ol>
      {props.error && !isOfAPart && (
        <p className={css.problem} role="alert">
          {props.error}
        </p>
      )}
      <CommandMenu
        position="top-start"
        commands={props.kinds}
        target={
          <Button variant="default" leftSection={<AddIcon size={17} />}>
            {props.add}
          </Button>
        }
      />
    </section>
  )
}
