#!/usr/bin/env node
import './check-packages';
import { cli } from './commands/command-line';

void cli();
