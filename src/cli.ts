#!/usr/bin/env node
import { cli } from './command-line';

void cli();
