"""Connects to a port of this machine, with buffers and segments as small as on a slow link. Reads commands from standard
input, one a line: a number of octets to receive, or octets to send in hexadecimal after "send"; "end" ends its side.
Answers each with the number of octets received."""

import socket
import sys

link = socket.socket()
link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
link.connect(("127.0.0.1", int(sys.argv[1])))
for line in sys.stdin:
    command, *rest = line.split()
    received = 0
    if command == "send":
        link.sendall(bytes.fromhex(rest[0]))
    elif command == "end":
        link.shutdown(socket.SHUT_WR)
    else:
        received = len(link.recv(int(command)))
    print(received, flush=True)
