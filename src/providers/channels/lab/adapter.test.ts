import { openPhone } from '#test/channels/phone-end.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { labConfig } from './config.ts'

channelSuite(labConfig, import.meta.dirname, openPhone('lab'))
