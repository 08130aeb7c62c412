#!/usr/bin/env node
import './check-packages';
import { cli } from './command-line';

void cli();
